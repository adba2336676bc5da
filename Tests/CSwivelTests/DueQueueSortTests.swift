// SPDX-License-Identifier: Apache-2.0
import Testing

/// The width of a slot of the first level, and of the second.
private let slot: UInt64 = 1 << 20
private let block = slot << 6

/// Timers that their slot brings into the due queue in large numbers.
@Suite struct DueQueueSortTests {
    /// How the timers of a slot come to be in an order or in none.
    enum Order: CaseIterable, Sendable {
        /// All were armed at one instant: their list is in order of their start.
        case armed
        /// Some were moved before that, within their slot or into it.
        case moved
        /// They have passed different numbers of levels.
        case levels
    }

    /// One slot's timers, in steps: some are cancelled between two steps, and some are armed into the
    /// slot. Deadlines are of any instant of the slot, or of a few.
    @Test(arguments: Order.allCases, [16, 300, 1024] as [UInt32])
    func aSlotsTimersComeOutInExactOrder(order: Order, step: UInt32) {
        let seed = announcedSeed("DueQueueSortTests")
        var random = SeededRandom(seed: seed)
        for round in 0..<60 as Range<UInt64> {
            var contest = SlotContest(step: step, spread: [slot, slot, 3, 300][Int(round % 4)])
            contest.fill([10, 47, 48, 500, 2500][Int(round % 5)], order, &random)
            let disturbs = round % 3 != 0
            while contest.isEmptying {
                if disturbs, random.once(in: 20) { contest.disturb(&random) }
            }
            #expect(contest.wheel.broken == nil, "seed \(seed), round \(round)")
            for _ in 0..<10 where disturbs { contest.disturb(&random) }
            #expect(contest.agrees, "seed \(seed), round \(round)")
        }
    }

    @Test func aTimerArmedWhileItsSlotIsSortedIsFiledAmongTheOthers() {
        atEachStep(of: 100) { wheel, model in
            model.arm(wheel.arm(5 * slot + 500), 5 * slot + 500)
            wheel.cancel(model.remove(at: 3).id)
        }
    }

    @Test func timersThatAreCancelledWhileTheirSlotIsSortedAreDropped() {
        atEachStep(of: 200) { wheel, model in
            for _ in 0..<70 { wheel.cancel(model.remove(at: 7).id) }
            for _ in 0..<70 { wheel.cancel(model.remove(at: model.count / 2).id) }
        }
    }

    /// Disturbs a slot of `count` timers after each number of the shortest steps that it takes to
    /// empty and to sort it, and some beyond that.
    private func atEachStep(
        of count: UInt64, disturb: (WheelFixture, inout SortedTimers<UInt32>) -> Void
    ) {
        for steps in 0..<2 * count {
            let wheel = WheelFixture(startingAt: 0)
            var model = SortedTimers<UInt32>()
            wheel.limit(step: 1)
            for index in 0..<count {
                let deadline = 5 * slot + index * 7919 % 1000
                model.arm(wheel.arm(deadline), deadline)
            }
            for _ in 0..<steps { wheel.step(to: 6 * slot) }
            disturb(wheel, &model)
            #expect(wheel.broken == nil, "after \(steps) steps")
            #expect(wheel.fireAll(dueBy: 6 * slot) == model.timers.map { $0.id })
        }
    }

    @Test func aSlotOfTheSecondLevelThatIsOverIsTakenAsAWhole() {
        let wheel = WheelFixture(startingAt: 0)
        var model = SortedTimers<UInt32>()
        for index in 0..<1000 as Range<UInt64> {
            let deadline = block + index * 7919 * slot % (3 * block) + index
            model.arm(wheel.arm(deadline), deadline)
        }
        let late = 3 * block + block / 2
        let first = model.timers.count { $0.deadline < 2 * block }
        wheel.advance(to: late)
        #expect(wheel.tick == 127, "the last slot of the block")
        #expect(wheel.dueCount == UInt32(first))
        #expect(wheel.broken == nil)
        let due = model.timers.filter { $0.deadline <= late }.map { $0.id }
        #expect(wheel.fireAll(dueBy: late) == due)
        #expect(wheel.tick == 3 * 64 + 32, "the block under way is split")
        #expect(wheel.broken == nil)
        let others = model.timers.filter { $0.deadline > late }.map { $0.id }
        #expect(wheel.fireAll(dueBy: 4 * block) == others)
    }
}

/// A slot's timers, and a list of the same.
private struct SlotContest {
    let wheel = WheelFixture(startingAt: 0)
    private var model = SortedTimers<UInt32>()
    /// The slot, of the second level, and how far its deadlines lie from each other.
    private let start = 70 * slot
    private let spread: UInt64

    init(step: UInt32, spread: UInt64) {
        wheel.limit(step: step)
        self.spread = spread
    }

    mutating func fill(
        _ count: Int, _ order: DueQueueSortTests.Order, _ random: inout SeededRandom
    ) {
        for index in 0..<count {
            if order == .levels, index == count / 3 { wheel.advance(to: 66 * slot) }
            if order == .levels, index == count / 2 { wheel.advance(to: start - 1) }
            arm(&random)
            if order == .moved, random.once(in: 3) { move(&random) }
        }
    }

    private mutating func arm(_ random: inout SeededRandom) {
        let deadline = start + random.below(spread)
        model.arm(wheel.arm(deadline), deadline)
    }

    private mutating func move(_ random: inout SeededRandom) {
        let id = model.remove(at: random.below(model.count)).id
        let deadline = start + random.below(spread)
        wheel.rearm(id, deadline)
        model.arm(id, deadline)
    }

    mutating func disturb(_ random: inout SeededRandom) {
        arm(&random)
        wheel.cancel(model.remove(at: random.below(model.count)).id)
        if random.once(in: 2) { move(&random) }
    }

    /// Makes a step. Returns whether there are more.
    var isEmptying: Bool {
        wheel.step(to: start + slot)
        return wheel.nextDeadline == 0
    }

    /// Whether what is left fires in the list's order.
    var agrees: Bool {
        wheel.fireAll(dueBy: start + slot) == model.timers.map { $0.id }
            && wheel.live == 0 && wheel.broken == nil
    }
}
