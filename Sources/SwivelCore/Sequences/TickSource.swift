// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// Where one iteration of ``Ticks`` is.
final class TickSource: Sendable {
    private static let numbers = Atomic<UInt64>(0)

    private let ticks: Ticks
    private let wait: TaskWait
    private let grid: Lock<swivel_grid>
    private let number = TickSource.numbers.wrappingAdd(1, ordering: .relaxed).newValue

    init(_ ticks: Ticks) {
        self.ticks = ticks
        wait = TaskWait(on: ticks.loop)
        let delay = max(ticks.startingAfter ?? ticks.interval, .zero)
        var grid = swivel_grid()
        grid.first_ns = ticks.loop.now.advanced(by: delay).nanoseconds
        grid.interval_ns = ticks.interval.nanosecondsRoundedUp
        grid.missed = ticks.missed.policy
        self.grid = Lock(grid)
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
        let tick = Tick(
            grid.withLock { grid in swivel__grid_take(&grid, grid.first_ns, now.nanoseconds) })
        return Tick(
            index: tick.index, scheduled: tick.scheduled, lateness: tick.lateness,
            missed: tick.missed, handle: TimerHandle(store: TickSources.store, id: number))
    }

    /// When the next tick is due, if that is still to come.
    private func dueLater() -> LoopClock.Instant? {
        let due = grid.withLock { $0.first_ns }
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
        grid.withLock { $0.first_ns = due.nanoseconds }
        wait.move(to: due)
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
