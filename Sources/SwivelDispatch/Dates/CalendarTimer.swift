// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import SwivelCore

/// A calendar schedule: one timer after another, each of which waits for one date.
///
/// When its closure has returned, the timer of the next instant is armed, and the worker pool
/// searches for the instant after that one while the timer waits; with a leeway, for two.
final class CalendarTimer: TableTimer {
    typealias Run = @Sendable (WallTick) -> Void
    /// The schedule's closure on its way to one firing, which takes it.
    typealias Firing = Lock<Due<Run>?>
    typealias Arming =
        @Sendable (Date, _ leeway: Duration, @escaping @Sendable () -> Void) ->
        TimerHandle

    /// Missed instants that a tick visits at most.
    private static let visited = 1_000

    private struct State {
        /// The timer of the next firing; while the closure runs, that of the current one.
        var timer = TimerHandle.refused
        /// That timer retains it.
        weak var firing: Firing?
        /// The instant of that firing.
        var date: Date
        /// The instant after it, once its closure has started; before that `date`. `nil`: there is
        /// none.
        var next: Date?
        var index = 0
        /// The closure does not run again.
        var isOver = false
        /// The closure runs, will run again, and counts as pending.
        var isHeld = false
        /// Where ``rearm(after:)`` has moved the next firing while the closure runs.
        var moved: LoopClock.Instant?

        /// Returns whether it counted as pending, which ends.
        mutating func endHold() -> Bool {
            defer { isHeld = false }
            return isHeld
        }
    }

    private let clock: WallClock
    private let loop: Loop?
    private let dates: CalendarDates
    private let leeway: Duration
    private let missed: MissedTicks
    /// Arms a timer of the schedule's context.
    private let schedule: Arming
    private let state: Lock<State>

    /// A schedule that begins with this first instant.
    init(
        _ first: Date, of dates: CalendarDates, on context: any ExecutionContext,
        leeway: Duration, missed: MissedTicks, _ clock: WallClock, _ schedule: @escaping Arming
    ) {
        self.clock = clock
        loop = context as? Loop
        self.dates = dates
        self.leeway = leeway
        self.missed = missed
        self.schedule = schedule
        state = Lock(State(date: first, next: first))
    }

    /// Arms the first timer. Called once.
    func begin(_ run: @escaping Run, _ entry: WallEntry) {
        var due: Due? = Due(run, entry)
        armNext(&due)
    }

    /// Arms the timer of the next instant, which takes over the closure. If there is none, or the
    /// loop ends, the schedule is over, and the caller releases the closure.
    private func armNext(_ due: inout Due<Run>?) {
        let isClosing = loop?.refusal != nil
        let leeway = isClosing ? .zero : countedLeeway
        // The loop may refuse the timer: what it was to fire is released after the lock.
        let armed = state.withLock { state -> (Firing, Date)? in
            defer { if state.endHold() { keeper.count(pending: -1) } }
            guard !state.isOver, !isClosing, let next = state.next else {
                state.isOver = true
                return nil
            }
            let firing = Firing(due.take())
            state.date = next
            state.firing = firing
            let moved = state.moved.take()
            state.timer = schedule(moved == nil ? next : .distantFuture, leeway) {
                self.fire(firing)
            }
            if let moved { state.timer.rearm(after: now.duration(to: moved)) }
            return (firing, next)
        }
        guard let date = armed?.1 else { return }
        WorkerPool.shared.execute { [dates] in
            let next = dates.next(after: date)
            if leeway > .zero, let next { _ = dates.next(after: next) }
        }
    }

    /// How much later than its instant the next tick may fire: at most half of the time to the
    /// instant after it (T9).
    private var countedLeeway: Duration {
        guard leeway > .zero, let next = state.withLock({ $0.isOver ? nil : $0.next }),
            let later = dates.next(after: next)
        else { return leeway }
        return min(leeway, .seconds(later.timeIntervalSince(next) / 2))
    }

    /// The date has come. **Thread:** the context's.
    private func fire(_ firing: Firing) {
        var due = firing.withLock { $0.take() }
        if let due { due.run?(tick(due.entry.handle)) }
        armNext(&due)
    }

    /// The tick for the closure that starts.
    private func tick(_ handle: TimerHandle) -> WallTick {
        let now = clock.now()
        var (date, index) = state.withLock { ($0.date, $0.index) }
        var next = dates.next(after: date)
        var passed = 0
        while missed != .burst, let later = next, later <= now {
            passed += 1
            if missed == .skip { date = later }
            let isLast = passed == Self.visited
            next = dates.next(after: isLast ? now : later, skipping: isLast)
        }
        if missed == .skip { index += passed }
        state.withLock { state in
            (state.next, state.index) = (next, index + 1)
            state.isHeld = next != nil && !state.isOver
            keeper.count(missed: passed, pending: state.isHeld ? 1 : 0)
        }
        return WallTick(index: index, scheduled: date, now: now, missed: passed, handle)
    }

    /// Keeps the time, and the counters.
    private var keeper: Loop { loop ?? .shared }
    private var now: LoopClock.Instant { keeper.now }
}

// The handle's operations.
extension CalendarTimer {
    func cancel() -> CancelResult {
        let (timer, firing, wasOver) = state.withLock { state in
            defer { state.isOver = true }
            if state.endHold() { keeper.count(cancelled: 1, pending: -1) }
            return (state.timer, state.firing, state.isOver)
        }
        let result = timer.cancel()
        if result == .cancelled {
            // The thread that has armed the timer may not have dropped its reference yet.
            _ = firing?.withLock { $0.take() }
        }
        // If that closure has returned since the lock, this call was what kept it from the next
        // firing.
        return result == .finished && !wasOver ? .running : result
    }

    func rearm(after delay: Duration) -> Bool {
        state.withLock { state in
            guard !state.isOver, state.next != nil else { return false }
            if !state.timer.rearm(after: delay) {
                state.moved = now.advanced(by: max(delay, .zero))
            }
            return true
        }
    }

    var isPending: Bool { state.withLock { !$0.isOver && $0.next != nil } }

    func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        EndWatch.shared.wait(for: state.withLock { $0.timer }, body)
        return true
    }
}
