// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct NearHeapTests {
    @Test func entriesOfOneSlotComeOutInExactOrder() {
        var random = SeededRandom(seed: announcedSeed("NearHeapTests"))
        let wheel = WheelBed(startingAt: 0)
        var model = SortedTimers<UInt32>()
        for _ in 0..<2000 {
            let deadline = random.below(1_000_000 as UInt64)
            model.arm(wheel.arm(deadline), deadline)
        }
        #expect(wheel.nearCount == 2000)
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: 1_000_000) == model.timers.map { $0.id })
    }

    @Test func aCancelledEntryIsCountedDeadAndNeverFires() {
        let wheel = WheelBed(startingAt: 0)
        let first = wheel.arm(10)
        let second = wheel.arm(20)
        wheel.settle()
        wheel.cancel(first)
        #expect(wheel.nearCount == 2)
        #expect(wheel.nearDead == 1)
        #expect(wheel.broken == nil)
        #expect(wheel.nextDeadline == 20)
        #expect(wheel.nearDead == 0, "dropped from the top on the way")
        #expect(wheel.fireAll(dueBy: 100) == [second])
    }

    @Test func anEntryWhoseNodeLivesAgainIsStillDead() {
        let wheel = WheelBed(startingAt: 0)
        let first = wheel.arm(10)
        wheel.settle()
        wheel.cancel(first)
        let again = wheel.arm(30)
        #expect(again == first, "the slab hands the freed node out again")
        #expect(wheel.broken == nil)
        #expect(wheel.nextDeadline == 30)
        #expect(wheel.fireAll(dueBy: 29).isEmpty)
        #expect(wheel.fireAll(dueBy: 30) == [again])
    }

    @Test func aMovedEntryLeavesADeadOneBehind() {
        let wheel = WheelBed(startingAt: 0)
        let node = wheel.arm(10)
        for deadline in [500, 5] as [UInt64] {
            wheel.settle()
            wheel.rearm(node, deadline)
        }
        #expect(wheel.nearCount == 3)
        #expect(wheel.nearDead == 2)
        #expect(wheel.fireAll(dueBy: 1000) == [node])
        #expect(wheel.nearCount == 0 || wheel.nearDead == wheel.nearCount)
    }

    @Test func theDeadAreSweptOnceTheyOutnumberTheLiving() {
        let wheel = WheelBed(startingAt: 0)
        let keeper = wheel.arm(900_000)
        for round in 0..<100_000 as Range<UInt64> {
            let node = wheel.arm(1000 + round)
            wheel.settle()
            wheel.cancel(node)
        }
        #expect(wheel.nearCount < 200)
        #expect(wheel.nearCapacity <= 256)
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: 1_000_000) == [keeper])
    }

    @Test func aSweepKeepsTheOrderOfTheLiving() {
        var random = SeededRandom(seed: announcedSeed("NearHeapTests"))
        let wheel = WheelBed(startingAt: 0)
        var model = SortedTimers<UInt32>()
        for _ in 0..<5000 {
            let deadline = random.below(1_000_000 as UInt64)
            model.arm(wheel.arm(deadline), deadline)
            while model.count > 100 {
                wheel.cancel(model.remove(at: random.below(model.count)).id)
            }
        }
        #expect(wheel.broken == nil)
        #expect(wheel.fireAll(dueBy: 1_000_000) == model.timers.map { $0.id })
    }

    /// They wait in their slot, in which they can be moved and cancelled, until there is memory.
    @Test func timersWithoutMemoryComeLate() {
        let wheel = WheelBed(startingAt: 0)
        wheel.limit(nearHeap: 0)
        let nodes = [300, 100, 200, 5_000_000, 400].map { wheel.arm($0) }
        wheel.settle()
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

    /// Each level of the wheel that they pass turns their order round. Others are armed and cancelled
    /// between the steps in which the heap puts them in order, and between their fires.
    @Test(arguments: [5000, 50_000_000, 5_000_000_000, 500_000_000_000] as [UInt64], [16, 1024])
    func timersOfOneInstantComeOutInTheOrderOfTheirStart(instant: UInt64, step: UInt32) {
        var random = SeededRandom(seed: announcedSeed("NearHeapTests"))
        let wheel = WheelBed(startingAt: 0)
        wheel.limit(step: step)
        var model = SortedTimers<UInt32>()
        for round in 1..<40 as Range<UInt64> {
            let instant = instant * round
            let disturbance = [0, 40, 40, 2][Int(round % 4)] as UInt64
            for _ in 0..<300 { model.arm(wheel.arm(instant), instant) }
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
