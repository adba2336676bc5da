// SPDX-License-Identifier: Apache-2.0
import Testing

/// Timers in the buffer in front of their slots.
@Suite struct StagingTests {
    private let slot: UInt64 = 1 << 20

    @Test func aTimerThatIsCancelledAtOnceReachesNoSlot() {
        let wheel = WheelFixture(startingAt: 0)
        for round in 1...1_000 as ClosedRange<UInt64> {
            let node = wheel.arm(round * slot)
            #expect(wheel.staged == 1)
            wheel.cancel(node)
            #expect(wheel.staged == 0)
        }
        #expect(wheel.live == 0)
        #expect(wheel.nextDeadline == .max)
    }

    @Test(arguments: [1, 63, 64, 65, 200])
    func theBufferIsFlushedWhenItIsFull(_ count: UInt64) {
        let wheel = WheelFixture(startingAt: 0)
        var model = SortedTimers<UInt32>()
        for number in 0..<count {
            let deadline = (1 + number * 7 % 5) * 40 * slot
            model.arm(wheel.arm(deadline), deadline)
            #expect(wheel.staged <= 64)
        }
        #expect(wheel.staged > 0)
        // Gaps in the buffer, and at its end.
        for number in (0..<model.count).reversed() where number % 3 == 0 {
            wheel.cancel(model.remove(at: number).id)
        }
        #expect(wheel.broken == nil)
        #expect(wheel.staged == 0)
        #expect(wheel.fireAll(dueBy: 400 * slot) == model.timers.map { $0.id })
        #expect(wheel.live == 0)
    }

    @Test func aStagedTimerThatIsMovedIsFiledOnce() {
        let wheel = WheelFixture(startingAt: 0)
        let nodes = (1...3).map { wheel.arm(UInt64($0) * 100 * slot) }
        wheel.rearm(nodes[1], 5)
        wheel.neverFires(nodes[0])
        wheel.rearm(nodes[2], 50 * slot)
        #expect(wheel.staged <= 3)
        #expect(wheel.nextDeadline == 5)
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: 1_000 * slot) == [nodes[1], nodes[2]])
    }
}
