// SPDX-License-Identifier: Apache-2.0
import Testing

/// Timers on their way into their slots, and out of them.
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

    /// Neighbours in one list, in every order: each is linked to others that have gone before it, or
    /// that follow.
    @Test(arguments: [1, 7, 8, 9, 40, 98])
    func aCancelledTimerLeavesItsSlotAfterOthers(_ count: Int) {
        var random = SeededRandom(seed: announcedSeed("DoorwayTests"))
        let wheel = WheelBed(startingAt: 0)
        var left = (0..<100).map { wheel.arm(70 * slot + UInt64($0)) }
        wheel.settle()
        for number in 1...count {
            // Not the latest one, which is the first of its slot.
            wheel.cancel(left.remove(at: random.below(left.count - 1)))
            #expect(wheel.leaving == UInt32(min(number, 8)))
        }
        #expect(wheel.broken == nil)
        #expect(wheel.leaving == 0)
        #expect(wheel.live == UInt64(left.count))
        #expect(wheel.fireAll(dueBy: 80 * slot) == left)
        #expect(wheel.live == 0)
    }

    @Test func theFirstOfASlotLeavesAtOnce() {
        let wheel = WheelBed(startingAt: 0)
        let nodes = (0..<10).map { wheel.arm(70 * slot + UInt64($0)) }
        wheel.settle()
        for node in nodes.reversed() {
            wheel.cancel(node)
            #expect(wheel.leaving == 0)
        }
        #expect(wheel.live == 0)
        #expect(wheel.nextDeadline == .max)
    }

    /// A timer that is over does not hold its slot open.
    @Test func aSlotWhoseTimersHaveAllGoneIsEmpty() {
        let wheel = WheelBed(startingAt: 0)
        let nodes = (0..<5).map { wheel.arm(70 * slot + UInt64($0)) }
        wheel.settle()
        nodes.forEach(wheel.cancel)
        #expect(wheel.leaving == 4)
        #expect(wheel.nextDeadline == .max)
        #expect(wheel.broken == nil)
    }
}
