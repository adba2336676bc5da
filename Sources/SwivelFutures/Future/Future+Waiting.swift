// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

// Waiting: blocking in synchronous code, suspending in asynchronous code.
extension Future {
    /// Waits for the result, and returns the value or throws the error.
    ///
    /// The work that completes the future can run during the wait. On a loop's thread the wait
    /// pumps that loop; on the main thread it runs the main queue and, if it lasts, the main run
    /// loop; on the background pool another worker replaces this one, or the wait itself runs work
    /// that no worker has begun. Several threads may wait for a future, and more than once.
    ///
    /// A wait on a serial context, such as a dispatch queue, stops the program with the context's
    /// name if the future needs that context: for submitted work, a callback, a delay, a job, or
    /// for something that these wait for. A need that becomes known during the wait is found at the
    /// next check: after 1 s, and then after pauses that double up to 16 s. A cancel of the job,
    /// which could end the wait, does not count: give such a wait a timeout.
    ///
    /// The library cannot find work that a promise's owner does there, work of a queue whose target
    /// is the queue that waits or that shares its serial target, and contexts that wait for each
    /// other. After a second debug builds report serial contexts that wait for each other, a
    /// cooperative pool all of whose threads wait, and a manual loop that no thread drives; release
    /// builds hang.
    ///
    /// **Thread:** any but a task's; blocks. In asynchronous code use `try await future.value`.
    /// - Throws: `Failure`. Nothing if that is `Never`.
    /// - Complexity: O(1). No allocation if the future has completed.
    @available(*, noasync, message: "blocks its thread; use 'try await future.value'")
    @inlinable
    @discardableResult
    public func await(file: StaticString = #fileID, line: UInt = #line) throws(Failure) -> Value {
        try self.await(target: nil, operation: "await()", file: file, line: line)
    }

    /// As ``await(file:line:)``, for at most `timeout`; returns the value. The future stays usable.
    ///
    /// **Thread:** any but a task's; blocks.
    /// - Parameter timeout: From now on the loop's clock. Zero or less: does not wait.
    /// - Throws: ``FutureError/timedOut``, or ``FutureError/failed(_:)`` with the future's error.
    ///   For a future that will never have a result, ``FutureError/abandoned`` or
    ///   ``FutureError/shutdown``.
    /// - Complexity: As ``await(file:line:)``.
    @available(*, noasync, message: "blocks its thread; use 'future.timeout(_:).value'")
    @discardableResult
    public func await(
        timeout: Duration, file: StaticString = #fileID, line: UInt = #line
    ) throws(FutureError<Failure>) -> Value {
        if !isCompleted {
            defer { extendLifetime(self) }
            if let cause = pointer.causeOfAbandonment { throw .abandonment(cause) }
            guard timeout > .zero else { throw .timedOut }
            let isOver = WaitingRoom.wait(
                for: pointer, until: .now.advanced(by: timeout), operation: "await(timeout:)",
                file: file, line: line)
            if let cause = pointer.causeOfAbandonment { throw .abandonment(cause) }
            guard isOver else { throw .timedOut }
        }
        return try outcome.mapError(FutureError.failed).get()
    }

    /// As ``await(file:line:)``, for a future that `target` completes. The wait traps with the name
    /// `operation` if it can run nothing there.
    @available(*, noasync, message: "blocks its thread; use 'try await future.value'")
    @discardableResult
    @inlinable
    package func await(
        target: (any ExecutionContext)?, operation: StaticString,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(Failure) -> Value {
        if !isCompleted {
            waitUntilOver(target: target, operation: operation, file: file, line: line)
        }
        return try outcome.get()
    }

    /// Returns the future of the value that `body` makes of this one's: ``map(on:_:)`` under the
    /// name that suits `Async`. **Thread:** any. `body` runs on `context`.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func await<U: Sendable>(
        _ context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Value) -> U
    ) -> Future<U, Failure> {
        map(on: context, body)
    }

    /// Suspends until there is a result, and returns the value or throws the error.
    ///
    /// Cancelling the task ends the wait if `Failure` can express that: with a `CancellationError`
    /// as `any Error`, with ``SwivelError/Code/cancelled``, or with ``FutureError/cancelled``. The
    /// future stays pending. A future that has completed gives its result to a cancelled task too.
    ///
    /// **Thread:** any task; blocks no thread.
    /// - Throws: `Failure`. Nothing if that is `Never`.
    /// - Complexity: O(1). A wait that was cancelled leaves nothing in the future.
    @inlinable
    public func get() async throws(Failure) -> Value {
        if !isCompleted {
            let cancellation = Failure.cancellation
            let isOver = await FuturePointer.suspend(
                for: self, untilCancelled: cancellation != nil)
            if !isOver, let cancellation { throw cancellation }
        }
        return try outcome.get()
    }

    /// The value; suspends until it is there. Throws `Failure`. See ``get()``.
    /// - Complexity: O(1).
    @inlinable
    public var value: Value {
        get async throws(Failure) { try await get() }
    }
}

extension Future where Failure == Never {
    /// The value; suspends until it is there. Cancelling the task does not end the wait.
    /// - Complexity: O(1).
    @inlinable
    public var value: Value {
        get async { await get() }
    }
}

extension Future {
    /// Blocks until there is a result. If there will never be one, this stops the program.
    @usableFromInline
    func waitUntilOver(
        target: (any ExecutionContext)?, operation: StaticString, file: StaticString, line: UInt
    ) {
        defer { extendLifetime(self) }
        _ = WaitingRoom.wait(
            for: pointer, target: target, operation: operation, file: file, line: line)
        if let cause = pointer.causeOfAbandonment {
            trap("a wait that would never end: \(cause.reason)", file: file, line: line)
        }
    }
}
