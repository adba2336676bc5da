// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// Asynchronous work, timed from a thread that may block.
package enum Awaited {
    /// Runs `work` in a task of its own and waits for it. CPU time goes on until the process is idle
    /// again.
    ///
    /// - Parameter executor: where the task runs; `nil` is Swift's own pool.
    package static func time<Value: Sendable>(
        on executor: (any TaskExecutor)?, _ work: @escaping @Sendable () async -> Value
    ) -> (span: Span, value: Value) {
        Settle.untilIdle()
        var value: Value?
        let span = Span.of { value = run(on: executor, work) }
        guard let value else { fatalError("the task has ended without an answer") }
        return (span, value)
    }

    /// Runs `work` in a task of its own and waits for it.
    @discardableResult
    package static func run<Value: Sendable>(
        on executor: (any TaskExecutor)?, _ work: @escaping @Sendable () async -> Value
    ) -> Value {
        let answer = Answer<Value>()
        let done = DispatchSemaphore(value: 0)
        _ = start(on: executor) {
            answer.value = await work()
            done.signal()
        }
        done.wait()
        guard let value = answer.value else { fatalError("the task has ended without an answer") }
        return value
    }

    /// Starts a task. One without a preference is made without one: with `nil` for its executor the
    /// runtime looks for the preference at each switch, which costs 60 ns.
    package static func start(
        on executor: (any TaskExecutor)?, _ work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard let executor else { return Task.detached(operation: work) }
        return Task.detached(executorPreference: executor, operation: work)
    }

    private final class Answer<Value>: @unchecked Sendable {
        // `@unchecked` because it is read after the semaphore that follows its writing.
        var value: Value?
    }
}
