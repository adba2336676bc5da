// SPDX-License-Identifier: Apache-2.0

// A task cannot be cancelled for a while, so the body of a time limit runs in a child task, which
// is cancelled when the limit passes.
extension TimeoutCore {
    /// The limit whose body this code belongs to, also in the tasks that the body starts.
    @TaskLocal private static var innermost: TimeoutCore?

    /// The innermost limit that cancels the current task. `nil`: there is none, or the task was
    /// started by a limit's body: the limit may not cancel it.
    static var ofTask: TimeoutCore? {
        guard let innermost else { return nil }
        return withUnsafeCurrentTask { innermost.isRunning(in: $0) } ? innermost : nil
    }

    /// Whether this limit, or one around it, cancels the body of a nested `deadline` in time. A
    /// limit that may be moved does not count.
    func covers(_ deadline: Deadline) -> Bool {
        var next: TimeoutCore? = self
        while let core = next {
            if let fixed = core.fixed, fixed.covers(deadline) { return true }
            next = core.outer
        }
        return false
    }

    /// Runs `body` in a child task on `actor`, and returns its result. Next to it `alarm` runs in
    /// another child task, which is cancelled when the body has returned.
    nonisolated(nonsending) func result<Return: ~Copyable, Failure: Error>(
        on actor: (any Actor)?, besides alarm: (@Sendable () async -> Void)? = nil,
        of body: nonisolated(nonsending) () async throws(Failure) -> Return
    ) async -> Result<Return, Failure> {
        var result: Result<Return, Failure>?
        await run(on: actor, besides: alarm) {
            do throws(Failure) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
        }
        guard let result = result.take() else {
            trap("a task group lost its only child; this is a fault of the runtime")
        }
        return result
    }

    private func run(
        on actor: (any Actor)?, besides alarm: (@Sendable () async -> Void)?,
        isolation: isolated (any Actor)? = #isolation,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        await withoutActuallyEscaping(body) { body in
            await run(Body(run: body), on: actor, besides: alarm, isolation: isolation)
        }
    }

    /// A body on its way to its child task.
    private struct Body: @unchecked Sendable {
        // because the caller waits until the child has ended: they never run at the same time.
        let run: nonisolated(nonsending) () async -> Void

        /// Begins on the actor. The body itself does not go there: it expects to be called there,
        /// and the compiler leaves out the way to an actor on which nothing happens before a call.
        func run(for core: TimeoutCore, isolation: isolated (any Actor)?) async {
            withUnsafeCurrentTask { core.begin($0) }
            await run()
        }
    }

    private func run(
        _ body: Body, on actor: (any Actor)?, besides alarm: (@Sendable () async -> Void)?,
        isolation: isolated (any Actor)?
    ) async {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.runHere(body, on: actor)
                return true
            }
            guard let alarm else { return }
            group.addTask {
                await alarm()
                return false
            }
            for await isBody in group where isBody { group.cancelAll() }
        }
    }

    /// Runs `body` in the current task, which is its own.
    private func runHere(_ body: Body, on actor: (any Actor)?) async {
        if fixed == nil && outer == nil {
            await body.run(for: self, isolation: actor)
        } else {
            await Self.$innermost.withValue(self) { await body.run(for: self, isolation: actor) }
        }
        await finish()
    }
}
