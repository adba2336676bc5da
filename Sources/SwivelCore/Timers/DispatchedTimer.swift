// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// Keeps the time of a ``DispatchedTimer``. All functions are called under the timer's lock.
package protocol TimerAlarm: Sendable {
    /// The time on the timer's clock, not ahead of it.
    var now: UInt64 { get }
    /// The instant so much later than the time that the calling thread reads, which may be ahead.
    func deadline(after delay: UInt64) -> UInt64
    /// Fires the timer once, at `deadline` or up to `leeway` later, instead of when it was set for;
    /// 0: now, in order with the calling thread's posts. False: no more is accepted.
    func set(at deadline: UInt64, leeway: UInt64) -> Bool
    /// The timer has fired, and is pending until it is set again or ends.
    func hold()
    /// Counts a closure that starts, and the ticks that were missed before.
    func count(missed: UInt64)
    /// The timer is pending no more. The last call.
    func end(isCancelled: Bool)
}

/// A timer whose closure runs on a context that is not a loop, which it calls when its alarm fires.
/// Fire or cancel is decided when the context runs that call. A repeat's alarm is set again when
/// its closure has returned.
package final class DispatchedTimer: TableTimer, @unchecked Sendable {
    // because `lock` guards the state, and the rest is set before another thread has the timer.
    private let context: any ExecutionContext
    private let table: TimerTable
    private var id: UInt64 = 0
    private var lock: TimerTable.Shard
    private var alarm: (any TimerAlarm)?
    private var state: DispatchedState

    package init(
        _ request: TimerRequest, now: UInt64, on context: any ExecutionContext, in table: TimerTable
    ) {
        self.context = context
        self.table = table
        lock = table.shard(of: id)
        state = DispatchedState(request, now: LoopClock.Instant(nanoseconds: now))
    }

    private var handle: TimerHandle { TimerHandle(table: table, id: id) }

    /// Starts the timer, under a number of its own.
    package func begin(_ id: UInt64, _ alarm: any TimerAlarm) -> TimerHandle {
        self.id = id
        self.alarm = alarm
        lock = table.shard(of: id)
        table.insert(self, id)
        lock.withLock { _ in _ = setAlarm() }
        return handle
    }

    private var now: UInt64 { alarm?.now ?? 0 }

    private func setAlarm() -> Bool {
        alarm?.set(at: state.deadline, leeway: state.leeway) ?? false
    }
}

// Firing.
extension DispatchedTimer {
    /// The alarm has fired: calls the context if the timer is due, and returns whether it has
    /// called.
    @discardableResult
    package func fire() -> Bool {
        guard lock.withLock({ _ in isDue() && state.fire() }) else { return false }
        let notice = DropNotice(self) { $0.drop() }
        context.execute { notice.dismiss().start() }
        return true
    }

    /// The alarm has fired on the context itself: runs the closure.
    package func fireHere() {
        if lock.withLock({ _ in isDue() && state.fire() }) { start() }
    }

    private func isDue() -> Bool {
        guard state.phase == .waiting else { return false }
        guard now >= state.deadline else {
            // It was moved after its alarm had fired.
            _ = setAlarm()
            return false
        }
        alarm?.hold()
        return true
    }

    /// Called on the context.
    private func start() {
        guard run() else { return }
        let (isOver, watchers) = lock.withLock { _ in
            let isOver = !state.end(now) || !setAlarm()
            return (isOver, isOver ? [] : state.takeWatchers())
        }
        watchers.forEach { $0() }
        guard isOver else { return }
        // A one-shot's closure was released with the frame of `run`.
        _ = lock.withLock { _ in state.takeRun() }
        table.remove(id)
        lock.withLock { _ in state.finish() }.forEach { $0() }
    }

    /// Runs what is due. False: nothing is.
    private func run() -> Bool {
        guard let (run, tick) = lock.withLock({ _ in claim() }) else { return false }
        Thread.note(run.words)
        switch run {
        case .once(let run): run()
        case .tick(let run): run(Tick(tick).with(handle))
        }
        return true
    }

    private func claim() -> (DispatchedState.Run, swivel_tick)? {
        guard let start = state.start(now) else { return nil }
        alarm?.count(missed: start.1.missed)
        if !state.isPending { alarm?.end(isCancelled: false) }
        return start
    }

    /// The context has dropped the call, which cancels a timer that is due.
    private func drop() { cancel { $0.drop() } }
}

// The handle's operations.
extension DispatchedTimer {
    @discardableResult
    package func cancel() -> CancelResult { cancel { _ in true } }

    @discardableResult
    private func cancel(if applies: (inout DispatchedState) -> Bool) -> CancelResult {
        // The closure is released after the lock, and before this returns.
        let (result, _) = lock.withLock { _ -> (CancelResult, DispatchedState.Run?) in
            guard applies(&state) else { return (.finished, nil) }
            let (result, run, wasPending) = state.cancel()
            if wasPending { alarm?.end(isCancelled: true) }
            return (result, run)
        }
        if result == .cancelled { table.remove(id) }
        return result
    }

    package func rearm(after delay: Duration) -> Bool {
        let delay = delay.nanosecondsRoundedUp
        return lock.withLock { _ in
            let deadline = delay == 0 ? 0 : alarm?.deadline(after: delay) ?? 0
            guard let isSet = state.move(to: deadline, now: now) else { return false }
            return !isSet || setAlarm()
        }
    }

    package var isPending: Bool { lock.withLock { _ in state.isPending } }

    package func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        lock.withLock { _ in state.watch(body) }
    }

    /// Replaces the description of the alarm, in a list of pending work.
    func describe(_ pending: inout swivel_pending) {
        lock.withLock { _ in
            pending.fire_at_ns = state.deadline
            pending.interval_ns = state.grid.interval_ns
            pending.is_after_completion = state.grid.missed == SWIVEL_AFTER_COMPLETION
            pending.work = state.run?.words ?? swivel_work()
            pending.flags &= ~UInt64(SWIVEL_REUSABLE)
        }
    }
}
