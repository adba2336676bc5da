// SPDX-License-Identifier: Apache-2.0

/// A context whose closures see the task-local values that were bound where they were submitted.
private struct TaskLocalContext<Base: ExecutionContext>: CapturingContext {
    let base: Base

    func execute(_ work: @escaping @Sendable () -> Void) {
        let locals = TaskLocals()
        base.execute { locals.run(work) }
    }

    var isCurrent: Bool { base.isCurrent }

    func arm(_ request: TimerRequest) -> TimerHandle {
        var request = request
        request.body = capturing(request.body)
        return base.arm(request)
    }

    func capturing(_ body: TimerRequest.Body) -> TimerRequest.Body {
        let locals = TaskLocals()
        return body.with(
            once: { work in { locals.run(work) } },
            tick: { work in { tick in locals.run { work(tick) } } })
    }

    var wrapped: (any ExecutionContext)? { base }
}

extension ExecutionContext {
    /// This context, for closures that see the task-local values which are bound where they are
    /// submitted.
    ///
    /// A closure has no such values by itself: it runs outside any task. All ticks of a repeating
    /// timer see the values that were bound where it was scheduled.
    ///
    ///     loop.inheritingTaskLocals.schedule(after: .seconds(1)) { log("\(Request.name)") }
    ///
    /// Only the values differ: closures run on this context, in order with its others.
    /// ``Loop/Configuration/maxPendingPosts`` may refuse any of its posts.
    ///
    /// - Complexity: O(1). Each closure's values cost a task: some hundred bytes in a few
    ///   allocations.
    public var inheritingTaskLocals: some ExecutionContext { TaskLocalContext(base: self) }
}
