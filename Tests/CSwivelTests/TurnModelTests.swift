// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// Whole turns of a manual loop against a sorted list: timers are armed, cancelled and rearmed from
/// closures, from outside and from another thread, with budgets of one and more.
@Suite struct TurnModelTests {
    @Test(arguments: zip([1, 3, 1024] as [UInt32], [1, 1024, 1] as [UInt32]))
    func firesWhatASortedListFires(_ budget: UInt32, step: UInt32) async throws {
        let seed = announcedSeed("TurnModelTests, budget \(budget), step \(step)")
        let contest = try TurnContest(seed: seed, budget: budget, step: step)
        try await offPool {
            for _ in 0..<60_000 {
                contest.step()
                guard contest.failure == nil else { break }
            }
            contest.finish()
        }
        #expect(contest.failure == nil, "seed \(seed)")
        #expect(contest.fired > 5000)
        #expect(contest.cancelled > 2000)
        #expect(contest.moved > 2000)
    }
}

/// One loop and one list in step. Everything happens on one thread at a time.
private final class TurnContest: @unchecked Sendable {  // because threads take turns
    private final class Entry {
        let id: Int
        let cell: Cell
        var timer = swivel_timer()
        init(_ id: Int, _ cell: Cell) {
            self.id = id
            self.cell = cell
        }
    }

    private let loop: TestLoop
    private var model = SortedTimers<Int>()
    private var entries: [Int: Entry] = [:]
    private var retired: [Cell] = []
    private var random: SeededRandom
    private var nextID = 0
    /// Messages of the other thread, which the loop takes over in its next turn, in order.
    private var messages: [() -> Void] = []
    /// The last move of each timer by the other thread that the loop has not adopted: the moves
    /// before it have no effect, and it has its own call's place among equal deadlines.
    private var lastMoves: [Int: Int] = [:]

    private(set) var failure: String?
    private(set) var fired = 0, cancelled = 0, moved = 0

    init(seed: UInt64, budget: UInt32, step: UInt32) throws {
        random = SeededRandom(seed: seed)
        loop = try TestLoop(SWIVEL_MANUAL, turnCount: budget)
        swivel_wheel_limit(loop.record, step)
    }

    func step() {
        switch random.below(10) {
        case 0..<3: elsewhere { self.operate(isOwn: false) }
        case 3..<6: onLoop { self.operate(isOwn: true) }
        default: advance()
        }
    }

    func finish() {
        guard failure == nil else { return }
        advance(to: .max - 1)
        if model.count > 0 { failure = "\(model.count) timers have not fired" }
        if loop.counters.pending != 0 { failure = "\(loop.counters.pending) are still counted" }
        let unreleased = retired.filter { $0.released != 1 }.count
        if unreleased > 0 { failure = "\(unreleased) were not released once" }
    }

    /// Runs the body on another thread, and waits for it.
    private func elsewhere(_ body: @escaping () -> Void) { runOnThread(body) }

    /// Runs the body in a closure of the loop, which takes other threads' messages first.
    private func onLoop(_ body: @escaping () -> Void) {
        let run = Unchecked(body)
        let cell = Cell { [self] in
            takeMessages()
            run.body()
        }
        loop.post(cell)
        loop.advance(to: loop.now)
        takeMessages()
    }

    private func takeMessages() {
        messages.forEach { $0() }
        messages = []
    }

    private func advance() {
        let next = swivel_loop_next_deadline(loop.record)
        if messages.isEmpty, next > model.earliest {
            failure = "would sleep until \(next), past \(model.earliest)"
        }
        let step = random.next() >> (34 + random.below(28 as UInt64))
        advance(to: random.once(in: 3) && model.count > 0 ? model.earliest : loop.now + step)
    }

    private func advance(to instant: UInt64) {
        takeMessages()
        loop.advance(to: min(instant, .max - 1))
        if model.earliest <= loop.now {
            failure = failure ?? "at \(loop.now) the timer due at \(model.earliest) has not fired"
        }
    }

    /// A timer's closure: it is the list's first, and not early.
    private func fire(_ id: Int) {
        let expected = model.fire(dueBy: loop.now)
        if expected != id {
            failure =
                failure
                ?? "at \(loop.now) fires \(id), the list \(expected.map(String.init) ?? "nothing")"
        }
        fired += 1
        if let entry = entries.removeValue(forKey: id) { retired.append(entry.cell) }
        if random.once(in: 3) { operate(isOwn: true) }
    }

    /// Arms, cancels or rearms. On the loop's thread at once, else by message.
    private func operate(isOwn: Bool) {
        switch random.below(3) {
        case 0 where entries.count < 60: arm(isOwn: isOwn)
        case 1: cancel()
        default: rearm(isOwn: isOwn)
        }
    }

    private func take(_ change: @escaping () -> Void, isOwn: Bool) {
        if isOwn { change() } else { messages.append(change) }
    }

    private func arm(isOwn: Bool) {
        let id = nextID
        nextID += 1
        let deadline = loop.now + 1 + (random.next() >> (30 + random.below(34 as UInt64)))
        let entry = Entry(id, Cell { [unowned self] in fire(id) })
        entries[id] = entry
        entry.timer = loop.schedule(at: deadline, entry.cell)
        take({ if self.entries[id] != nil { self.model.arm(id, deadline) } }, isOwn: isOwn)
    }

    private func cancel() {
        guard let entry = randomEntry else { return }
        guard swivel_cancel(entry.timer) == SWIVEL_CANCELLED else {
            failure = failure ?? "\(entry.id) could not be cancelled"
            return
        }
        cancelled += 1
        model.cancel(entry.id)
        entries[entry.id] = nil
        retired.append(entry.cell)
    }

    private func rearm(isOwn: Bool) {
        guard let entry = randomEntry else { return }
        let delay = 1 + (random.next() >> (30 + random.below(34 as UInt64)))
        let deadline = loop.now + delay
        guard swivel_rearm(entry.timer, delay) else {
            failure = failure ?? "\(entry.id) could not be moved"
            return
        }
        moved += 1
        let id = entry.id
        guard !isOwn else {
            lastMoves[id] = nil
            return move(id, to: deadline)
        }
        let number = moved
        lastMoves[id] = number
        messages.append { [self] in
            guard lastMoves[id] == number else { return }
            lastMoves[id] = nil
            move(id, to: deadline)
        }
    }

    private func move(_ id: Int, to deadline: UInt64) {
        if model.cancel(id) { model.arm(id, deadline) }
    }

    private var randomEntry: Entry? {
        entries.isEmpty
            ? nil : entries[entries.keys.sorted()[random.below(entries.count)]]
    }
}
