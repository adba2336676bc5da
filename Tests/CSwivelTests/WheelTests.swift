// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

/// The width of a slot.
private let slot: UInt64 = 1 << 20

@Suite struct WheelTests {
    /// Deadlines at each level's edges, one nanosecond and one slot to either side.
    private static let edges: [UInt64] = (0..<8).flatMap { level -> [UInt64] in
        let edge = slot << (6 * UInt64(level))
        return [edge - slot, edge - 1, edge, edge + 1, edge + slot]
    }

    private static let starts: [UInt64] = [
        0, 1, slot - 1, slot, 63 * slot, 64 * slot - 1, 1 << 62, .max - 1000,
    ]

    @Test(arguments: starts)
    func everyLevelEdgeFiresAtItsOwnInstant(_ start: UInt64) {
        for edge in Self.edges {
            let (deadline, overflow) = start.addingReportingOverflow(edge)
            guard !overflow, deadline > start else { continue }
            let wheel = WheelFixture(startingAt: start)
            let node = wheel.arm(deadline)
            #expect(wheel.broken == nil)
            #expect(wheel.nextDeadline == deadline)
            #expect(wheel.fireAll(dueBy: deadline - 1).isEmpty, "early, start \(start)")
            #expect(wheel.broken == nil)
            #expect(wheel.fireAll(dueBy: deadline) == [node], "late, start \(start)")
            #expect(wheel.nextDeadline == .max)
        }
    }

    @Test func aDeadlineThatHasPassedIsDueAtOnce() {
        let wheel = WheelFixture(startingAt: 1000 * slot)
        let old = wheel.arm(1)
        let older = wheel.arm(0)
        #expect(wheel.nextDeadline == 0)
        #expect(wheel.fireAll(dueBy: 1000 * slot) == [older, old])
    }

    @Test func equalDeadlinesFireInStartOrderWhicheverLevelTheyCameThrough() {
        let deadline = 4096 * slot + 17
        let wheel = WheelFixture(startingAt: 0)
        var armed: [UInt32] = []
        // Armed from ever nearer: through level 2, 1, 0 and straight into the due queue.
        for distance in [4096 * slot, 70 * slot, 3 * slot, slot / 2, 0] {
            wheel.advance(to: deadline - distance)
            for _ in 0..<5 {
                armed.append(wheel.arm(deadline))
            }
        }
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: deadline) == armed)
    }

    @Test func aRearmedTimerIsTheYoungestOfItsDeadline() {
        let wheel = WheelFixture(startingAt: 0)
        let first = wheel.arm(5 * slot)
        let second = wheel.arm(9 * slot)
        let third = wheel.arm(9 * slot)
        wheel.rearm(first, 9 * slot)
        wheel.rearm(second, 9 * slot)
        #expect(wheel.fireAll(dueBy: 9 * slot) == [third, first, second])
    }

    @Test func aTimerMovedLaterStaysInItsSlotAndFiresLater() {
        let wheel = WheelFixture(startingAt: 0)
        let node = wheel.arm(2 * slot)
        wheel.rearm(node, 500 * slot + 3)
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: 500 * slot + 2).isEmpty)
        #expect(wheel.fireAll(dueBy: 500 * slot + 3) == [node])
    }

    @Test func aTimerMovedEarlierFiresEarlier() {
        let wheel = WheelFixture(startingAt: 0)
        let node = wheel.arm(500 * slot)
        wheel.rearm(node, 2 * slot)
        #expect(wheel.nextDeadline == 2 * slot)
        wheel.rearm(node, 5)
        #expect(wheel.nextDeadline == 5)
        #expect(wheel.fireAll(dueBy: 5) == [node])
    }

    @Test func aTimerWithoutADeadlineIsDueWhenItHasOneAgain() {
        let wheel = WheelFixture(startingAt: 0)
        let node = wheel.arm(2 * slot + 7)
        wheel.neverFires(node)
        #expect(wheel.nextDeadline == .max)
        #expect(wheel.fireAll(dueBy: 500 * slot).isEmpty)
        for deadline in [502 * slot, 501 * slot, 900 * slot, 501 * slot + 1] {
            wheel.rearm(node, deadline)
            #expect(wheel.nextDeadline == deadline)
            #expect(wheel.broken == nil)
            wheel.neverFires(node)
            #expect(wheel.nextDeadline == .max)
        }
        wheel.rearm(node, 500 * slot + 3)
        #expect(wheel.fireAll(dueBy: 500 * slot + 2).isEmpty)
        #expect(wheel.fireAll(dueBy: 500 * slot + 3) == [node])
        #expect(wheel.live == 0)
    }

    /// Many deadlines that never come cause no wake-up.
    @Test func manyTimersWithoutADeadlineHaveNoNextOne() {
        let wheel = WheelFixture(startingAt: 3)
        let nodes = (1...1_000).map { wheel.arm(UInt64($0) * slot / 3) }
        nodes.forEach(wheel.neverFires)
        #expect(wheel.fireAll(dueBy: 1_000 * slot).isEmpty)
        #expect(wheel.nextDeadline == .max)
        #expect(wheel.broken == nil)
        nodes.forEach(wheel.cancel)
        #expect(wheel.live == 0)
    }

    @Test func whatIsNeverDueWaitsAndCanBeCancelled() {
        let wheel = WheelFixture(startingAt: 1)
        let node = wheel.arm(.max)
        #expect(wheel.nextDeadline == .max)
        #expect(wheel.fireAll(dueBy: .max - 1).isEmpty)
        #expect(wheel.broken == nil)
        wheel.cancel(node)
        #expect(wheel.live == 0)
    }

    @Test func theNextDeadlineIsExactForFewAndNeverLateForMany() {
        let wheel = WheelFixture(startingAt: 0)
        let base = 100 * slot
        for offset in (0..<15 as Range<UInt64>).reversed() {
            _ = wheel.arm(base + 1000 + offset)
        }
        #expect(wheel.nextDeadline == base + 1000)
        for offset in 0..<100 as Range<UInt64> {
            _ = wheel.arm(base + 2000 + offset)
        }
        #expect(wheel.nextDeadline <= base + 1000)
        #expect(wheel.nextDeadline >= base - slot * 64)
    }

    /// A slot of many timers is examined when its first one is due, not when the slot begins.
    @Test func theNextDeadlineOfACrowdedSlotIsItsEarliest() {
        let wheel = WheelFixture(startingAt: 0)
        let base = 100 * slot
        let first = wheel.arm(base + 1000)
        for offset in 0..<100 as Range<UInt64> {
            _ = wheel.arm(base + 2000 + offset)
        }
        #expect(wheel.nextDeadline == base + 1000)
        wheel.cancel(first)
        #expect(wheel.nextDeadline == base + 1000, "one look too early, and none too late")
        #expect(wheel.fireAll(dueBy: base + 1000).isEmpty)
        #expect(wheel.nextDeadline == base + 2000)
    }

    /// However late: the queue holds the timers of one slot at a time.
    @Test func slotsComeUpOneAtATime() {
        let wheel = WheelFixture(startingAt: 0)
        for number in 0..<300 as Range<UInt64> {
            _ = wheel.arm((10 + number % 3) * slot + 300 - number)
        }
        wheel.advance(to: 1_000 * slot)
        #expect(wheel.dueCount == 100)
        #expect(wheel.fireAll(dueBy: 1_000 * slot).count == 300)
    }

    @Test func advancingInOneStepOrInManyFiresTheSame() {
        let deadlines = (0..<200 as Range<UInt64>).map { $0 * $0 * $0 * 1000 + 7 }
        let coarse = WheelFixture(startingAt: 0)
        let fine = WheelFixture(startingAt: 0)
        for deadline in deadlines {
            _ = coarse.arm(deadline)
            _ = fine.arm(deadline)
        }
        var fired: [UInt32] = []
        var now: UInt64 = 0
        while now < 8_000_000_000 {
            now += 13_000_000
            fired += fine.fireAll(dueBy: now)
        }
        #expect(coarse.fireAll(dueBy: now) == fired)
        #expect(fired.count == deadlines.count)
    }

    @Test func theClockOfAWheelOnlyGoesForward() {
        let wheel = WheelFixture(startingAt: 12345)
        wheel.advance(to: 100 * slot)
        #expect(wheel.tick == 100)
        wheel.advance(to: 3 * slot)
        #expect(wheel.tick == 100, "time does not go back")
        wheel.advance(to: .max)
        #expect(wheel.tick == UInt64.max >> 20)
    }
}
