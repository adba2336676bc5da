// SPDX-License-Identifier: Apache-2.0
import Testing

/// Timers on their way into their slots.
@Suite struct DoorwayTests {
    private let slot: UInt64 = 1 << 20

    @Test func aTimerThatIsCancelledAtOnceComesIntoNoSlot() {
        let wheel = WheelBed(startingAt: 0)
        for round in 1...1_000 as ClosedRange<UInt64> {
            let node = wheel.arm(round * slot)
            #expect(wheel.coming == 1)
            wheel.cancel(node)
            #expect(wheel.coming == 0)
        }
        #expect(wheel.live == 0)
        #expect(wheel.nextDeadline == .max)
    }

    @Test(arguments: [1, 63, 64, 65, 200])
    func theLineIsAsLongAsItMayBe(_ count: UInt64) {
        let wheel = WheelBed(startingAt: 0)
        var model = SortedTimers<UInt32>()
        for number in 0..<count {
            let deadline = (1 + number * 7 % 5) * 40 * slot
            model.arm(wheel.arm(deadline), deadline)
            #expect(wheel.coming <= 64)
        }
        #expect(wheel.coming > 0)
        // Gaps in the line, and at its end.
        for number in (0..<model.count).reversed() where number % 3 == 0 {
            wheel.cancel(model.remove(at: number).id)
        }
        #expect(wheel.broken == nil)
        #expect(wheel.coming == 0)
        #expect(wheel.fireAll(dueBy: 400 * slot) == model.timers.map { $0.id })
        #expect(wheel.live == 0)
    }

    @Test func aTimerThatIsMovedOnItsWayIsFiledOnce() {
        let wheel = WheelBed(startingAt: 0)
        let nodes = (1...3).map { wheel.arm(UInt64($0) * 100 * slot) }
        wheel.rearm(nodes[1], 5)
        wheel.void(nodes[0])
        wheel.rearm(nodes[2], 50 * slot)
        #expect(wheel.coming <= 3)
        #expect(wheel.nextDeadline == 5)
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: 1_000 * slot) == [nodes[1], nodes[2]])
    }
}
