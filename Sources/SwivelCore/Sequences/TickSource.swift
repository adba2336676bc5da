// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// Where one iteration of ``Ticks`` is.
final class TickSource: Sendable {
    private static let numbers = Atomic<UInt64>(0)

    private let ticks: Ticks
    private let wait: TaskWait
    private let grid: Lock<TickPosition>
    private let number = TickSource.numbers.wrappingAdd(1, ordering: .relaxed).newValue

    init(_ ticks: Ticks) {
        self.ticks = ticks
        wait = TaskWait(on: ticks.loop)
        let delay = max(ticks.startingAfter ?? ticks.interval, .zero)
        grid = Lock(
            TickPosition(
                due: ticks.loop.now.advanced(by: delay).nanoseconds,
                interval: ticks.interval.nanosecondsRoundedUp, missed: ticks.missed))
        TickSources.shared.add(self, number)
    }

    deinit {
        TickSources.shared.remove(number)
    }

    nonisolated(nonsending) func next() async -> Tick? {
        if Task.isCancelled {
            wait.end(.cancelled)
        }
        // More than once only where the tick is moved while its wait begins.
        while let due = dueLater() {
            guard await wait.wait(until: due, leeway: ticks.leeway) == .reached else { return nil }
        }
        guard wait.ended == nil, !ticks.loop.isOver else { return nil }
        let now = ticks.loop.now
        let (index, scheduled, missed) = grid.withLock { $0.take(at: now.nanoseconds) }
        let instant = LoopClock.Instant(nanoseconds: scheduled)
        return Tick(
            index: index, scheduled: instant, lateness: max(instant.duration(to: now), .zero),
            missed: missed, handle: TimerHandle(store: TickSources.store, id: number))
    }

    /// When the next tick is due, if that is still to come.
    private func dueLater() -> LoopClock.Instant? {
        let due = grid.withLock { $0.due }
        return swivel__has_come(ticks.loop.record, due) ? nil : LoopClock.Instant(nanoseconds: due)
    }

    var isOver: Bool { wait.ended != nil }

    /// Ends the sequence. False: it was over.
    func cancel() -> Bool {
        defer { wait.end(.cancelled) }
        return !isOver
    }

    /// Moves the next tick, and the grid with it.
    func rearm(after delay: Duration) {
        let due = ticks.loop.now.advanced(by: delay)
        grid.withLock { $0.due = due.nanoseconds }
        wait.move(to: due)
    }
}

/// A place in a grid of instants; the same rules as repeat.c has for timers.
struct TickPosition {
    /// The instant of tick `index`.
    var due: UInt64
    var index = 0
    let interval: UInt64
    let missed: MissedTicks

    init(due: UInt64, interval: UInt64, missed: MissedTicks) {
        self.due = due
        self.interval = interval
        self.missed = missed
    }

    /// Takes the next tick up at `now`.
    mutating func take(at now: UInt64) -> (index: Int, scheduled: UInt64, missed: Int) {
        let passed = now > due ? (now - due) / interval : 0
        let isSkipping = missed == .skip
        let index = isSkipping ? self.index.saturatingAdd(Int(clamping: passed)) : self.index
        let scheduled = isSkipping ? due + passed * interval : due
        self.index = index.saturatingAdd(1)
        due = (missed == .delay && passed > 0 ? now : scheduled).saturatingAdd(interval)
        return (index, scheduled, missed == .burst ? 0 : Int(clamping: passed))
    }
}

extension FixedWidthInteger {
    /// The sum of two numbers that are not negative, or the largest there is.
    fileprivate func saturatingAdd(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// The iterations under way, by the numbers that their ticks' handles have.
private final class TickSources: TimerKeeper {
    static var shared: TickSources { FirstUse.of(only) }
    static var store: TimerStore { FirstUse.of(onlyStore) }
    private static let only = TickSources()
    private static let onlyStore = TimerStore(only)

    private struct Entry {
        weak var source: TickSource?
    }

    private let entries = Lock<[UInt64: Entry]>([:])

    func add(_ source: TickSource, _ number: UInt64) {
        entries.withLock { $0[number] = Entry(source: source) }
    }

    func remove(_ number: UInt64) {
        entries.withLock { _ = $0.removeValue(forKey: number) }
    }

    /// The iteration, if it is not over.
    private func find(_ number: UInt64) -> TickSource? {
        let source = entries.withLock { $0[number]?.source }
        return source.flatMap { $0.isOver ? nil : $0 }
    }

    func cancel(_ id: UInt64) -> CancelResult {
        find(id)?.cancel() == true ? .cancelled : .finished
    }

    func rearm(_ id: UInt64, after delay: Duration) -> Bool {
        guard let source = find(id) else { return false }
        source.rearm(after: delay)
        return true
    }

    func isPending(_ id: UInt64) -> Bool { find(id) != nil }

    /// No closure is ever under way.
    func watch(_ id: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool { false }
}
