// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct DueQueueTests {
    /// With more timers than `most`, some leave from anywhere.
    @Test(arguments: [(2000, 2000), (5000, 100)])
    func entriesOfOneSlotComeOutInExactOrder(count: Int, most: Int) {
        var random = SeededRandom(seed: announcedSeed("DueQueueTests"))
        let wheel = WheelFixture(startingAt: 0)
        var model = SortedTimers<UInt32>()
        for _ in 0..<count {
            let deadline = random.below(1_000_000 as UInt64)
            model.arm(wheel.arm(deadline), deadline)
            while model.count > most {
                wheel.cancel(model.remove(at: random.below(model.count)).id)
            }
        }
        #expect(wheel.dueCount == most)
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: 1_000_000) == model.timers.map { $0.id })
    }

    @Test func aTimerArmedIntoTheSlotLeavesTheQueueWhenItIsCancelledOrMoved() {
        let wheel = WheelFixture(startingAt: 0)
        let nodes = [10, 20, 30, 40].map { wheel.arm($0) }
        wheel.flush()
        wheel.cancel(nodes[0])
        wheel.rearm(nodes[2], 15)
        wheel.flush()
        #expect(wheel.dueCount == 3)
        #expect(wheel.broken == nil)
        #expect(wheel.nextDeadline == 15)
        #expect(wheel.fireAll(dueBy: 100) == [nodes[2], nodes[1], nodes[3]])
    }

    /// The slab hands the nodes of cancelled timers out again, at once.
    @Test func aSortedEntryWhoseNodeLivesAgainIsDropped() {
        let slot: UInt64 = 1 << 20
        let wheel = WheelFixture(startingAt: 0)
        let kept = wheel.arm(2 * slot + 15)
        let first = wheel.arm(2 * slot + 10)
        let moved = wheel.arm(2 * slot + 20)
        wheel.advance(to: 2 * slot)
        wheel.cancel(first)
        wheel.rearm(moved, 2 * slot + 12)
        let again = wheel.arm(2 * slot + 30)
        #expect(again == first)
        #expect(wheel.nextDeadline == 2 * slot + 12)
        #expect(wheel.broken == nil)
        #expect(wheel.dueCount == 4, "a cancelled entry stays until it is the first")
        #expect(wheel.fireAll(dueBy: 2 * slot + 29) == [moved, kept])
        #expect(wheel.fireAll(dueBy: 2 * slot + 30) == [again])
        #expect(wheel.dueCount == 0)
    }

    @Test func cancelledTimersOfTheSlotKeepNoMemory() {
        let wheel = WheelFixture(startingAt: 0)
        let keeper = wheel.arm(900_000)
        for round in 0..<100_000 as Range<UInt64> {
            let node = wheel.arm(1000 + round)
            wheel.flush()
            wheel.cancel(node)
        }
        #expect(wheel.dueCount == 1)
        #expect(wheel.dueCapacity <= 64)
        #expect(wheel.fireAll(dueBy: 1_000_000) == [keeper])
    }

    /// They wait in their slot, in which they can be moved and cancelled, until there is memory.
    @Test func timersWithoutMemoryComeLate() {
        let wheel = WheelFixture(startingAt: 0)
        wheel.limit(dueQueue: 0)
        let nodes = [300, 100, 200, 5_000_000, 400].map { wheel.arm($0) }
        wheel.flush()
        wheel.cancel(nodes[0])
        wheel.rearm(nodes[1], 250)
        for _ in 0..<3 { #expect(wheel.next(dueBy: 1000) == .later) }
        #expect(wheel.isShort)
        #expect(wheel.nextDeadline == 0)
        #expect(wheel.broken == nil)
        wheel.limit()
        #expect(wheel.fireAll(dueBy: 1000) == [nodes[2], nodes[1], nodes[4]])
        #expect(wheel.fireAll(dueBy: 5_000_000) == [nodes[3]])
        #expect(wheel.live == 0)
        #expect(!wheel.isShort)
    }

    /// Whatever levels of the wheel they pass. In every other round one of them is moved, so that
    /// they have to be sorted. Others are armed and cancelled between the steps of that, and between
    /// their fires.
    @Test(arguments: [5000, 50_000_000, 5_000_000_000, 500_000_000_000] as [UInt64], [16, 1024])
    func timersOfOneInstantComeOutInTheOrderOfTheirStart(instant: UInt64, step: UInt32) {
        var random = SeededRandom(seed: announcedSeed("DueQueueTests"))
        let wheel = WheelFixture(startingAt: 0)
        wheel.limit(step: step)
        var model = SortedTimers<UInt32>()
        for round in 1..<40 as Range<UInt64> {
            let instant = instant * round
            let disturbance = [0, 40, 40, 2][Int(round % 4)] as UInt64
            for _ in 0..<300 { model.arm(wheel.arm(instant), instant) }
            if round / 4 % 2 == 0 {
                let moved = model.remove(at: 0).id
                wheel.rearm(moved, instant)
                model.arm(moved, instant)
            }
            for _ in 0..<random.below(60) { wheel.step(to: instant) }
            if disturbance > 0 { model.arm(wheel.arm(instant - 1), instant - 1) }
            while model.count > 0 {
                if disturbance > 0, model.count > 2, random.once(in: disturbance) {
                    let deadline = instant - 20 + random.below(40)
                    model.arm(wheel.arm(deadline), deadline)
                    wheel.cancel(model.remove(at: random.below(model.count)).id)
                    wheel.cancel(model.remove(at: random.below(model.count)).id)
                    wheel.step(to: instant + 30)
                }
                #expect(wheel.broken == nil)
                #expect(wheel.fire(dueBy: instant + 30) == model.fire(dueBy: instant + 30))
            }
        }
    }
}
