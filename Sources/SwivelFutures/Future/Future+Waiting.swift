// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

// Waiting: blocking in synchronous code, suspending in asynchronous code.
extension Future {
    /// Waits for the result, and returns the value or throws the error.
    ///
    /// On a loop's thread it pumps that loop, on a worker of the background pool the worker is
    /// replaced, on the main thread the main queue is pumped: what completes the future can run there.
    /// Any number of callers, on any threads, any number of times.
    ///
    /// A wait on a serial context, such as a dispatch queue, stops the program with its name where the
    /// future needs that very context: for work that was submitted there, or for a callback, a delay,
    /// or something that it waits for in turn. What becomes known only during the wait is found within
    /// some seconds. Not found is what no future knows: work that a promise's owner does there, and
    /// contexts that wait for each other. Debug builds report serial contexts whose waits wait for each
    /// other, and a cooperative pool all of whose threads wait, after a second; release builds hang.
    ///
    /// **Thread:** any but a task's; blocks. In asynchronous code use `try await future.value`.
    /// - Throws: `Failure`. Nothing if that is `Never`.
    /// - Complexity: No allocation if the future has completed.
    @available(*, noasync, message: "blocks its thread; use 'try await future.value'")
    @inlinable
    @discardableResult
    public func await(
        file: StaticString = #fileID, line: UInt = #line
    ) throws(Failure) -> Value {
        if !isCompleted {
            waitUntilOver(.never, operation: "await()", file: file, line: line)
        }
        return try outcome.get()
    }

    /// As ``await(file:line:)``, for at most `timeout`. The future stays usable.
    ///
    /// - Parameter timeout: Zero or less: does not wait.
    /// - Throws: ``FutureError/timedOut``, or ``FutureError/failed(_:)`` with the future's error.
    @available(*, noasync, message: "blocks its thread; use 'future.timeout(_:).value'")
    @discardableResult
    public func await(
        timeout: Duration, file: StaticString = #fileID, line: UInt = #line
    ) throws(FutureError<Failure>) -> Value {
        let isOver =
            isCompleted
            || timeout > .zero
                && waitUntilOver(
                    LoopClock.Instant.now.advanced(by: timeout), operation: "await(timeout:)",
                    file: file, line: line)
        guard isOver else { throw .timedOut }
        return try outcome.mapError(FutureError.failed).get()
    }

    /// As ``await(file:line:)``, where it is known which context is to complete the future.
    ///
    /// - Parameters:
    ///   - target: What the wait needs; the wait traps if that can do nothing meanwhile.
    ///   - operation: What waits, for the message of such a trap.
    @available(*, noasync, message: "blocks its thread; use 'try await future.value'")
    @discardableResult
    package func await(
        target: (any ExecutionContext)?, operation: StaticString,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(Failure) -> Value {
        if !isCompleted {
            waitUntilOver(.never, target: target, operation: operation, file: file, line: line)
        }
        return try outcome.get()
    }

    /// The future of what `body` makes of the value, on `context`: ``map(on:_:)`` as a dependent
    /// `Async`.
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
    /// Cancelling the task ends the wait where `Failure` can say so: with a `CancellationError` as
    /// `any Error`, with ``SwivelError/Code/cancelled`` or ``FutureError/cancelled``. The future goes
    /// on; one that has completed gives its result all the same.
    /// - Complexity: O(1). A wait that was cancelled leaves nothing in the future.
    @inlinable
    public func get() async throws(Failure) -> Value {
        if !isCompleted {
            if let cancellation = Failure.cancellation {
                guard await suspend(untilCancelled: true) else { throw cancellation }
            } else {
                await suspend(untilCancelled: false)
            }
        }
        return try outcome.get()
    }

    /// The value; suspends until it is there. See ``get()``.
    @inlinable
    public var value: Value {
        get async throws(Failure) { try await get() }
    }
}

extension Future where Failure == Never {
    /// The value; suspends until it is there.
    @inlinable
    public var value: Value {
        get async {
            if !isCompleted {
                await suspend(untilCancelled: false)
            }
            switch outcome {
            case .success(let value): return value
            }
        }
    }
}

extension AnyFuture {
    /// Blocks until there is a result; stops the program if there will never be one.
    ///
    /// - Returns: False at the deadline.
    @usableFromInline
    @discardableResult
    final func waitUntilOver(
        _ deadline: LoopClock.Instant, target: (any ExecutionContext)? = nil,
        operation: StaticString, file: StaticString, line: UInt
    ) -> Bool {
        defer { extendLifetime(self) }
        let isOver = WaitingRoom.wait(
            for: ref, until: deadline, target: target, operation: operation, file: file, line: line)
        if let cause = ref.causeOfAbandonment {
            trap("a wait that would never end: \(cause.text)", file: file, line: line)
        }
        return isOver
    }
}
