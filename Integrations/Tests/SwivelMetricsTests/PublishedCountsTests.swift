// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SwivelMetrics

@Suite struct PublishedCountsTests {
    @Test func theFirstIncrementIsTheWholeCount() {
        var published = PublishedCounts()
        #expect(published.advance(to: [3, 0]) == [3, 0])
    }

    @Test func eachIncrementIsReturnedOnce() {
        var published = PublishedCounts()
        let counts = [[1, 5], [4, 5], [4, 7]]
        #expect(counts.map { published.advance(to: $0) } == [[1, 5], [3, 0], [0, 2]])
    }

    /// Of two reports at the same time, the first to read may be the last to publish.
    @Test func aSnapshotThatComesLateCountsNothingAndTakesNothingBack() {
        var published = PublishedCounts()
        #expect(published.advance(to: [7, 2]) == [7, 2])
        #expect(published.advance(to: [5, 3]) == [0, 1])
        #expect(published.advance(to: [8, 3]) == [1, 0])
    }
}
