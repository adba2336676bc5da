// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

/// The wheel against a sorted list, three million random operations in all.
@Suite struct WheelModelTests {
    private static let operationsEach = 300_000

    @Test(arguments: terrains)
    func agreesWithASortedList(_ terrain: Terrain) {
        let contest = walk(terrain)
        #expect(contest.steps == 0, "nothing here takes more than a step")
    }

    @Test(arguments: steppedTerrains)
    func agreesWithASortedListBetweenSteps(_ terrain: Terrain) {
        let contest = walk(terrain)
        #expect(contest.betweenSteps > (terrain.step < 100 ? 10_000 : -1))
        #expect(contest.short > (terrain.room == .little ? 1_000 : -1))
    }

    private func walk(_ terrain: Terrain) -> WheelContest {
        let seed = announcedSeed("WheelModelTests, \(terrain.name)")
        var contest = WheelContest(terrain, seed: seed)
        for operation in 0..<Self.operationsEach {
            if let failure = contest.step() {
                Issue.record("seed \(seed), operation \(operation): \(failure)")
                return contest
            }
            if operation % 512 == 0, let broken = contest.broken {
                Issue.record("seed \(seed), operation \(operation): \(broken)")
                return contest
            }
        }
        if let failure = contest.finish() {
            Issue.record("seed \(seed), at the end: \(failure)")
        }
        #expect(contest.fired > 10_000, "the walk must fire timers too")
        #expect(contest.cancelled > 10_000)
        #expect(contest.rearmed > 10_000)
        #expect(contest.revived > 1_000)
        #expect(contest.mostStaged >= min(terrain.outstanding, Int(SWIVEL_STAGED_MAX)))
        return contest
    }
}

/// One wheel and one list, in step.
private struct WheelContest {
    private let terrain: WheelModelTests.Terrain
    private let wheel: WheelFixture
    private var model = SortedTimers<UInt32>()
    private var random: SeededRandom
    private var now: UInt64

    /// Nodes without a deadline.
    private var neverFiring: [UInt32] = []
    private(set) var fired = 0, cancelled = 0, rearmed = 0, revived = 0
    /// How many timers were staged at once.
    private(set) var mostStaged: UInt32 = 0
    /// Answers that were put off, operations on a half emptied slot, and those without memory.
    private(set) var steps = 0, betweenSteps = 0, short = 0

    init(_ terrain: WheelModelTests.Terrain, seed: UInt64) {
        self.terrain = terrain
        random = SeededRandom(seed: seed)
        now = terrain.start
        wheel = WheelFixture(startingAt: now)
        wheel.limit(step: terrain.step, dueQueue: terrain.room == .plenty ? .max : 64)
    }

    var broken: String? { wheel.broken }

    /// One random operation on both. Returns their disagreement, or nil.
    mutating func step() -> String? {
        let dice = random.below(100)
        betweenSteps += wheel.isEmptying ? 1 : 0
        short += wheel.isShort ? 1 : 0
        if terrain.room == .little, random.once(in: 100) {
            // A queue that has grown keeps its room, so it grows once it has been too small.
            let grows = short > 1_000 && random.once(in: 5)
            wheel.limit(step: terrain.step, dueQueue: grows ? .max : 64)
        }
        switch dice {
        case 0..<40 where random.once(in: 400):
            crowd()
        case 0..<40 where model.count < terrain.outstanding:
            arm(deadline())
        case 0..<50:
            for _ in 0..<(random.once(in: 40) ? 20 : 1) { cancel() }
        case 50..<55:
            neverFires()
        case 55..<75:
            rearm()
        case 75..<88:
            return advance()
        default:
            // A budget of one: what else is due waits while the next operations go on.
            return fireOne()
        }
        return nil
    }

    /// Fires all that is left.
    mutating func finish() -> String? {
        neverFiring.forEach(wheel.cancel)
        now = .max
        while model.count > 0 {
            if let failure = fireOne() { return failure }
        }
        return wheel.live == 0 ? broken : "\(wheel.live) nodes are left"
    }

    private mutating func arm(_ deadline: UInt64) {
        model.arm(wheel.arm(deadline), deadline)
        mostStaged = max(mostStaged, wheel.staged)
    }

    /// More timers at once than the staging buffer holds, if the terrain has as many.
    /// Half of the crowds share an instant, and as many timers leave at once.
    private mutating func crowd() {
        let count = min(terrain.outstanding, 70)
        while model.count + count > terrain.outstanding { cancel() }
        let shared = random.once(in: 2) ? deadline() : nil
        for _ in 0..<count { arm(shared ?? deadline()) }
        guard shared != nil else { return }
        _ = wheel.nextDeadline  // Has them in their slot.
        for _ in 0..<min(count, model.count) { cancel() }
    }

    private mutating func cancel() {
        guard model.count > 0 else { return }
        wheel.cancel(model.remove(at: random.below(model.count)).id)
        cancelled += 1
    }

    private mutating func neverFires() {
        guard model.count > 0 else { return }
        let id = model.remove(at: random.below(model.count)).id
        wheel.neverFires(id)
        if random.once(in: 4) {
            wheel.cancel(id)
        } else {
            neverFiring.append(id)
        }
    }

    private mutating func rearm() {
        let revives = !neverFiring.isEmpty && random.once(in: 2)
        guard revives || model.count > 0 else { return }
        let id =
            revives
            ? neverFiring.remove(at: random.below(neverFiring.count))
            : model.remove(at: random.below(model.count)).id
        let deadline = deadline()
        wheel.rearm(id, deadline)
        model.arm(id, deadline)
        (revived, rearmed) = revives ? (revived + 1, rearmed) : (revived, rearmed + 1)
    }

    private mutating func advance() -> String? {
        let next = wheel.nextDeadline
        let earliest = model.earliest
        guard next <= earliest else { return "would sleep until \(next), past \(earliest)" }
        if model.count + neverFiring.count <= 16, next != earliest, terrain.step > 100 {
            return "of few timers the first is due at \(earliest), not at \(next)"
        }
        switch random.below(4) {
        case 0 where next != .max:
            now = max(now, next)
        case 1 where earliest > now && earliest != .max:
            now = earliest - 1
        default:
            now = saturating(now, random.next() >> (64 - random.below(stepBits)))
        }
        wheel.step(to: now)
        return fireOne()
    }

    private mutating func fireOne() -> String? {
        var actual = wheel.next(dueBy: now)
        while now == .max, case .timer(let id) = actual, neverFiring.contains(id) {
            neverFiring.removeAll { $0 == id }
            actual = wheel.next(dueBy: now)
        }
        guard actual != .later else {
            steps += 1
            let next = wheel.nextDeadline  // Makes a step too, which may be the last one.
            return next <= model.earliest ? nil : "would sleep until \(next) between steps"
        }
        fired += actual == .none ? 0 : 1
        if terrain.room == .little { return fireLate(actual) }
        let expected = model.fire(dueBy: now).map { WheelFixture.Due.timer($0) } ?? .none
        guard expected == actual else {
            return "at \(now) the wheel fires \(String(describing: actual)), "
                + "the list \(String(describing: expected))"
        }
        return nil
    }

    /// Without memory timers come late, and behind later ones. None is early, or comes twice.
    private mutating func fireLate(_ actual: WheelFixture.Due) -> String? {
        guard case .timer(let id) = actual else {
            let waits = wheel.isShort || model.earliest > now
            return waits ? nil : "at \(now) the wheel fires nothing, with memory for all"
        }
        let place = model.timers.firstIndex { $0.id == id }
        guard let place, model.timers[place].deadline <= now else {
            return "at \(now) the wheel fires \(id), which is not due"
        }
        _ = model.remove(at: place)
        return nil
    }

    /// Bits of the longest step, so that a walk reaches neither 2^64 too soon nor its timers too
    /// seldom.
    private var stepBits: UInt64 {
        switch terrain.deadlines {
        case .near: terrain.start > 1 << 60 ? 13 : 20
        case .constant: 19
        case .equal, .crowded: 24
        case .edges, .mixed: terrain.start > 1 << 60 ? 34 : 44
        }
    }

    private mutating func deadline() -> UInt64 {
        let exact: UInt64
        switch terrain.deadlines {
        case .near:
            exact = saturating(now, random.below(1_500_000))
        case .mixed:
            exact = saturating(now, random.next() >> (14 + random.below(50 as UInt64)))
        case .crowded:
            let width: UInt64 = [20, 26, 32][random.below(3)]
            let slot = saturating((now >> width) << width, (1 + random.below(2)) << width)
            exact = saturating(slot, random.once(in: 2) ? 5 : random.below(3_000_000))
        case .constant:
            exact = saturating(now, random.once(in: 40) ? random.below(9_000_000) : 5_000_000)
        case .edges:
            exact = edge()
        case .equal:
            exact = saturating((now >> 21) << 21, random.below(8) << 21)
        }
        // Now and then a deadline that has passed.
        let deadline = random.once(in: 50) ? now - min(now, random.below(1 << 21)) : exact
        guard terrain.leeway else { return deadline }
        return swivel__aligned_deadline(
            deadline, random.next() >> (30 + random.below(34 as UInt64)))
    }

    private mutating func edge() -> UInt64 {
        let shift = 20 + 6 * random.below(6 as UInt64)
        let base = saturating((now >> shift) << shift, random.below(65) << shift)
        let (around, overflow) = base.addingReportingOverflow(
            [0, 1, .max, 1 << 20, 0 &- (1 << 20)][random.below(5)])
        // An overflow is the wanted one of a subtraction, or goes past the end of time.
        return overflow && base == .max ? .max : around
    }

    private func saturating(_ instant: UInt64, _ delay: UInt64) -> UInt64 {
        let (sum, overflow) = instant.addingReportingOverflow(delay)
        return overflow ? .max : sum
    }
}
