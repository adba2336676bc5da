// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Swivel
internal import Testing

@testable internal import swivel_bench

@Suite(.serialized)
struct FreshTrackersTests {
    /// Each of them has chunks of its own, whatever ended before it. They are a million, beside which
    /// the holes that other tests have left in the heap, some 600 KB, hardly count.
    @Test func eachTrackerPaysForItsChunks() throws {
        // The process's first: what stays with it is not counted, whether it fits into holes or not.
        _ = try? FreshTrackers.memory(20_000)
        for _ in 0..<2 {
            let loop = try Loop()
            var ended: IdleTracker<Int>? = IdleTracker(on: loop, after: .seconds(600)) { _ in }
            for id in 0..<1_000_000 { ended?.add(id) }
            ended = nil
            FreshTrackers.noteEnd()
            loop.shutdown()
            // Throws if it had others'.
            let measurement = try FreshTrackers.memory(1_000_000)
            #expect((measurement[.bytes] ?? .infinity) <= 24)
        }
    }
}
