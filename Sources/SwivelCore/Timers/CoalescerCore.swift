// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// The part of a ``Coalescer``, a ``Debouncer`` or a ``Throttle`` that outlives it while a run is
/// pending.
///
/// One lock guards the state, and the timer is armed under it: at the instant at which the pending
/// run is due, or at which a thread has yet to send that run to its context.
final class CoalescerCore: @unchecked Sendable {
    // because `state` is locked, the core guards the record, and the rest is constant.

    /// Where the work runs; `nil`: on the timer's loop, which is not to be retained.
    private let context: (any ExecutionContext)?
    /// Gets the value of the run's series, if its calls have one.
    private let work: @Sendable (CoalescerState.Value?) -> Void
    private let record: OpaquePointer
    private let state: Lock<CoalescerState>
    /// See ``CoalescerState/covered``. A call that changes nothing takes no lock.
    private let covered = Atomic<UInt64>(0)
    /// How far before `covered` a call may be for it to be covered.
    private let grain: UInt64
    /// In virtual time each call counts: it comes behind other work of the same instant.
    private let isVirtual: Bool

    /// The `work` runs on `context`, and `loop` keeps the time: the same loop if that is one.
    init(
        by loop: Loop, on context: some ExecutionContext, _ rule: CoalescerState.Rule,
        label: StaticString, _ work: @escaping @Sendable (CoalescerState.Value?) -> Void
    ) {
        self.context = context is Loop ? nil : context
        self.work = work
        record = loop.record
        state = Lock(CoalescerState(rule))
        isVirtual = loop.manual != nil
        grain = if case .pause(_, _, let grain) = rule { grain } else { 0 }
        let timer = CheckTimer(
            on: loop, label: label, of: self, end: { $0.end() }, check: { $0.fire($1) })
        state.withLock { $0.timer = timer }
    }

    var isPending: Bool { state.withLock { $0.isPending } }

    /// The time, in nanoseconds. On the loop's own thread it may be a little ahead: a deadline that
    /// is counted from it is not early.
    private var now: UInt64 {
        swivel__is_own(record) ? swivel__own_deadline(record, 0) : swivel_loop_now(record)
    }

    /// Joins the pending series, or begins one. False: the loop refuses.
    func call() -> Bool {
        if context != nil || !swivel__is_own(record) {
            // Pairs with the one in `run`: either this call finds that the run has begun, or the
            // run sees what its caller has written before.
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        }
        let covered = covered.load(ordering: .relaxed)
        if covered == .max { return true }
        // Before the time: an instant is never further away than in ticks.
        let ticks = swivel__ticks()
        // A difference: ticks that have jumped cover nothing.
        if covered &- ticks <= grain { return true }
        let now = now
        return change { $0.call(now: now, ticks: ticks) }
    }

    /// The same for a call with a value, which `store` leaves in the state, under the lock. Each
    /// call changes something, so none reads `covered`.
    func call(storing store: (inout CoalescerState.Value?) -> Void) -> Bool {
        let now = now
        return change { state in
            let isTaken = state.call(now: now, ticks: 0)
            if isTaken { store(&state.value) }
            return isTaken
        }
    }

    private func change<R>(_ body: (inout CoalescerState) -> R) -> R {
        state.withLock { state in
            defer { if !isVirtual { covered.store(state.covered, ordering: .relaxed) } }
            return body(&state)
        }
    }

    /// The timer's instant has come.
    private func fire(_ tick: Tick) {
        let (turn, now, onLoop) = (swivel__turn_time(record), now, context == nil)
        let begun = change { state in
            let series = state.fire(turn: turn, now: now, onLoop: onLoop)
            return series.map { ($0, onLoop ? state.value.take() : nil) }
        }
        guard let (series, value) = begun else { return }
        if !onLoop { return send(series, on: nil) }
        LoopTimer.countRun(tick)
        run(series, value)
    }

    /// Sends a run to the context, or to `loop` if there is none. A context that is full, or over,
    /// drops it.
    private func send(_ series: UInt64, on loop: Loop?) {
        let notice = DropNotice(self) { core in
            core.conclude { $0.drop(series) ?? [] }
        }
        if let context = context ?? loop {
            context.executeBeyondLimit { notice.dismiss().start(series) }
        }
    }

    /// A run starts on its context, unless its series is over or it is put off.
    private func start(_ series: UInt64) {
        let now = swivel__exact_now(record)
        let (starts, value) = change { state in
            let starts = state.start(series, now: now)
            return (starts, starts ? state.value.take() : nil)
        }
        if context == nil {
            // The post that is running ran nothing of the program's.
            if !starts { swivel__uncount_post(record) }
        } else if starts {
            swivel__count_run(record, 0)
        }
        if starts { run(series, value) }
    }

    private func run(_ series: UInt64, _ value: CoalescerState.Value?) {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        work(value)
        conclude { $0.end(series) }
    }

    /// Makes the pending run due now. Returns whether there is one.
    func flush(on loop: Loop) -> Bool {
        // From another thread a loop that closes takes no post: the run stays where it is.
        guard loop.isCurrent || !loop.isOver else { return isPending }
        let (isPending, series) = change { ($0.isPending, $0.flush()) }
        if let series { send(series, on: loop) }
        return isPending
    }

    /// Makes the pending run due now, and waits until it has ended, and those that are running.
    func flushAndWait(on loop: Loop) async {
        let id = change { $0.nextWaiter() }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (task: CoalescerState.Waiting) in
                let waits = change { !Task.isCancelled && $0.wait(id, task) }
                _ = flush(on: loop)
                if !waits { task.resume() }
            }
        } onCancel: {
            // Checked under the lock, as the task checks whether it is cancelled.
            let task = change { $0.leave(id) }
            task?.resume()
        }
    }

    /// Drops the pending run. Returns whether there was one.
    func cancel() -> Bool {
        var wasPending = false
        conclude { state in
            let tasks = state.drop()
            wasPending = tasks != nil
            return tasks ?? []
        }
        return wasPending
    }

    /// The object is gone: a pending run still happens, and frees the timer.
    func abandon() { conclude(isReleased: true) { _ in [] } }

    /// The loop has ended, and the pending run with it.
    private func end() {
        conclude { state in
            state.timer.end()
            return state.drop() ?? []
        }
    }

    /// Changes the state, resumes the tasks that `body` returns, and frees the timer and the value
    /// if no run needs them any more.
    private func conclude(
        isReleased: Bool = false, _ body: (inout CoalescerState) -> [CoalescerState.Waiting]
    ) {
        let (tasks, timer, value) = change { state in
            let tasks = body(&state)
            let isPending = state.isPending
            let timer = state.timer.take(isReleased: isReleased, isPending: isPending)
            return (tasks, timer, isPending ? nil : state.value.take())
        }
        // Not released under the lock.
        withExtendedLifetime(value) {}
        tasks.forEach { Tracking.resume($0, with: .success(())) }
        timer?.free()
    }
}
