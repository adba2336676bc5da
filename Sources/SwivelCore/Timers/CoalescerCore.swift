// SPDX-License-Identifier: Apache-2.0

/// The part of a ``Coalescer`` that outlives it while a run is pending.
///
/// One lock guards the state, and the timer is armed under it: it stands where the pending run is
/// due, or where a thread has yet to send that run to its context.
final class CoalescerCore: @unchecked Sendable {
    // because `state` is locked, and `node` is set before another thread has the object.

    /// Where the work runs; `nil`: on the timer's loop, which is not to be retained.
    private let context: (any ExecutionContext)?
    private let work: @Sendable () -> Void
    private let state: Lock<CoalescerState>
    private var node: TimerNode?

    init(
        on loop: Loop, _ context: (any ExecutionContext)?, _ state: CoalescerState,
        label: StaticString, _ work: @escaping @Sendable () -> Void
    ) {
        self.context = context
        self.work = work
        self.state = Lock(state)
        // The closure is released by the loop's end, or with the timer.
        let notice = DropNotice(self) { $0.end() }
        let node = TimerNode(on: loop, label: label, flags: TimerNode.uncounted) { tick in
            notice.payload.fire(tick)
        }
        self.node = node
        self.state.withLock { $0.timer.begin(node) }
    }

    var isPending: Bool { state.withLock { $0.isPending } }

    /// Joins the pending series, or begins one. False: the loop refuses.
    func call() -> Bool {
        guard let node else { return false }
        return state.withLock { $0.call(now: node.now) }
    }

    /// The timer's instant has come.
    private func fire(_ tick: Tick) {
        guard let node else { return }
        let onLoop = context == nil
        switch state.withLock({ $0.fire(now: node.turnTime, onLoop: onLoop) }) {
        case .nothing:
            break
        case .run(let series):
            LoopTimer.countRun(tick)
            run(series)
        case .hand(let series):
            send(series, on: nil)
        }
    }

    /// Sends a run to the context, or to `loop` if there is none. A context that is full, or over,
    /// drops it.
    private func send(_ series: UInt64, on loop: Loop?) {
        let notice = DropNotice(self) { core in
            core.settle { $0.drop(series) ?? [] }
        }
        if let context = context ?? loop {
            context.executeBeyondLimit { notice.dismiss().start(series) }
        }
    }

    /// A run starts on its context, unless it is void or put off.
    private func start(_ series: UInt64) {
        guard let node else { return }
        let starts = state.withLock { $0.start(series, now: node.exactNow) }
        if context == nil {
            if !starts { node.uncountPost() }
        } else if starts {
            node.countRun(due: 0)
        }
        if starts { run(series) }
    }

    private func run(_ series: UInt64) {
        work()
        settle { $0.end(series) }
    }

    /// Makes the pending run due now. Returns whether there is one.
    func flush(on loop: Loop) -> Bool {
        // From another thread a loop that closes takes no post: the run stays where it is.
        guard loop.isCurrent || !loop.isOver else { return isPending }
        let (isPending, series) = state.withLock { ($0.isPending, $0.flush()) }
        if let series { send(series, on: loop) }
        return isPending
    }

    /// Drops the pending run. Returns whether there was one.
    func cancel() -> Bool {
        var wasPending = false
        settle { state in
            let tasks = state.drop()
            wasPending = tasks != nil
            return tasks ?? []
        }
        return wasPending
    }

    /// The object is gone: a pending run still happens, and frees the timer.
    func abandon() {
        settle(isReleased: true) { _ in [] }
    }

    /// The loop has ended, and the pending run with it.
    private func end() {
        settle { state in
            state.timer.end()
            return state.drop() ?? []
        }
    }

    /// Changes the state, and then resumes the tasks that `body` returns.
    private func settle(
        isReleased: Bool = false, _ body: (inout CoalescerState) -> [CoalescerState.Waiting]
    ) {
        let (tasks, idle) = state.withLock { state in
            let tasks = body(&state)
            let isPending = state.isPending
            return (tasks, state.timer.settle(isReleased: isReleased, isPending: isPending))
        }
        tasks.forEach { Errands.resume($0, with: .success(())) }
        idle?.free()
    }
}

extension CoalescerCore {
    /// Makes the pending run due now, and waits until it has ended, and those that are under way.
    func flushAndWait(on loop: Loop) async {
        let id = state.withLock { $0.nextWaiter() }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (task: CoalescerState.Waiting) in
                let waits = state.withLock { !Task.isCancelled && $0.wait(id, task) }
                _ = flush(on: loop)
                if !waits { task.resume() }
            }
        } onCancel: {
            // Looked for under the lock, as the task looks whether it is cancelled.
            let task = state.withLock { $0.leave(id) }
            task?.resume()
        }
    }
}
