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
        _ values: [[Double]], patience: UInt64, isRepeatable: Bool = true,
        _ work: () -> Void = {}
    ) -> (times: Int, share: Double) {
        let rooms = Rooms(values)
        let neighbours = Neighbours(patience: patience, room: rooms.next)
        rooms.isCalibrated = true
        var times = 0
        neighbours.avoid(isRepeatable: isRepeatable) {
            work()
            times += 1
        }
        return (times, neighbours.disturbedShare)
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

    @Test func aNeighbourOnAnotherCoreIsNothingToOneThread() {
        let onOneCore = {
            Cores.stay()
            Cores.leave()
        }
        #expect(measure([[0.95, 2], [0.5, 2]], patience: .max, onOneCore) == (1, 0))
        #expect(measure([[1, 1.9], [1, 1], [1, 2]], patience: .max, onOneCore) == (1, 0))
        #expect(measure([[0.95, 2], [0.5, 2], [1, 2]], patience: .max) == (2, 0))
    }

    @Test func nobodyIsWaitedForWithoutPatience() {
        #expect(measure([[1, 1]], patience: 0) == (1, 100))
    }

    @Test func aNeighbourThatStaysIsTakenAsItIs() {
        #expect(measure([[1, 1]], patience: 2_000_000_000) == (3, 100))
    }

    @Test func aContestLeavesPatienceForOthers() {
        let rooms = Rooms([[1, 1]])
        let neighbours = Neighbours(patience: 400_000_000, room: rooms.next)
        rooms.isCalibrated = true
        var times = 0
        neighbours.beginContest(left: 9)
        neighbours.avoid(isRepeatable: true) { times += 1 }
        #expect(times == 1)
        rooms.values = [[1, 1], [1, 2]]
        neighbours.beginContest(left: 1)
        neighbours.avoid(isRepeatable: true) { times += 1 }
        #expect((times, neighbours.disturbedShare) == (2, 50))
    }

    @Test func aCoreWithMoreRoomThanBeforeHadANeighbour() {
        #expect(measure([[1.5, 2], [1, 2], [1.5, 2]], patience: .max) == (2, 0))
    }
}
