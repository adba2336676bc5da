// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

@Suite(.serialized)
struct NeighboursTests {
    /// Rooms of two cores as they are asked for, after the calibration; the last stays.
    private final class Rooms {
        var values: [[Double]]
        var isCalibrated = false
        init(_ values: [[Double]]) { self.values = values }

        func next() -> [Double] {
            guard isCalibrated else { return [1, 2] }
            return values.count > 1 ? values.removeFirst() : values[0]
        }
    }

    /// How often a measurement was made, and the share that was disturbed.
    private func measure(
        _ values: [[Double]], patience: UInt64, isRepeatable: Bool = true
    ) -> (times: Int, share: Double) {
        let rooms = Rooms(values)
        let neighbours = Neighbours(patience: patience, room: rooms.next)
        rooms.isCalibrated = true
        var times = 0
        neighbours.avoid(isRepeatable: isRepeatable) { times += 1 }
        return (times, neighbours.share)
    }

    @Test func aMeasurementThatNobodyDisturbsIsMadeOnce() {
        #expect(measure([[1, 2]], patience: .max) == (1, 0))
    }

    @Test func aMeasurementWaitsUntilNoCoreIsShared() {
        #expect(measure([[0.5, 2], [1, 1], [1, 2]], patience: .max) == (1, 0))
    }

    @Test func aMeasurementThatEndsBesideANeighbourIsMadeAgain() {
        #expect(measure([[1, 2], [1, 1.5], [1, 2]], patience: .max) == (2, 0))
        #expect(
            measure([[1, 2], [1, 1.5], [1, 2]], patience: .max, isRepeatable: false) == (1, 100))
    }

    @Test func nobodyIsWaitedForWithoutPatience() {
        #expect(measure([[1, 1]], patience: 0) == (1, 100))
    }

    @Test func aNeighbourThatStaysIsTakenAsItIs() {
        #expect(measure([[1, 1]], patience: 2_000_000_000) == (3, 100))
    }

    @Test func aCoreWithMoreRoomThanBeforeHadANeighbour() {
        #expect(measure([[1.5, 2], [1, 2], [1.5, 2]], patience: .max) == (2, 0))
    }
}
