// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension ExecutionContext {
    /// Runs `work` here, and returns the future of what it returns or throws. On a loop that is
    /// shut down the future fails with ``SwivelError/Code/shutdown`` if `E` can express that.
    ///
    /// **Thread:** any. `work` runs on this context, inside the call on `.immediate` only.
    /// - Parameter file: The call site with `line`, for an unobserved failure.
    /// - Complexity: As ``Future/init(on:file:line:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        _ work: consuming @escaping @Sendable () throws(E) -> V
    ) -> Future<V, E> {
        // Not the initializer that takes an existential, which would be made and copied here.
        let future = Future(on: .lent(by: self), work)
        extendLifetime(self)
        future.noteWork(file, line)
        return future
    }

    /// Runs `work` here, and returns the future of its result.
    ///
    /// **Thread:** any.
    /// - Complexity: As ``Future/init(on:file:line:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () -> Result<V, E>
    ) -> Future<V, E> {
        Future(on: self, file: file, line: line) { () throws(E) -> V in try work().get() }
    }

    /// Runs `work` here after `delay`, and returns the future of what it returns or throws.
    ///
    /// **Thread:** any.
    /// - Parameter delay: From now. Zero or less: in the next turn.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        after delay: Duration, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () throws(E) -> V
    ) -> Future<V, E> {
        let future = Future(after: delay, on: self) { Result(catching: work) }
        future.noteWork(file, line)
        return future
    }

    /// Waits for `future`, which this context is to complete, and returns the value.
    ///
    /// **Thread:** any but this context's and a task's; blocks.
    /// - Throws: ``SwivelError/Code/wouldDeadlock`` when this context is the current one, even if
    ///   the future has completed; else the future's error.
    /// - Complexity: As ``Future/await(file:line:)``.
    @available(*, noasync, message: "blocks its thread; use 'try await future.value'")
    @discardableResult
    public func await<V: Sendable, E: Error>(
        _ future: Future<V, E>, file: StaticString = #fileID, line: UInt = #line
    ) throws -> V {
        try refuseCurrent()
        return try future.await(file: file, line: line)
    }

    /// Throws if the caller runs on this context: it would wait for itself.
    @usableFromInline
    func refuseCurrent() throws(SwivelError) {
        try (self as? any ContextWrapper)?.wrapped?.refuseCurrent()
        if isCurrent {
            throw SwivelError(.wouldDeadlock, "the context would wait for itself")
        }
    }
}

// The same without a call site, as function values: `works.map(loop.submit)`. Disfavored: a call
// has a site, by which an unobserved failure is reported.
extension ExecutionContext {
    /// See ``Future/init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        _ work: @escaping @Sendable () throws(E) -> V
    ) -> Future<V, E> {
        Future(on: .lent(by: self), work)
    }

    /// See ``Future/init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        _ work: @escaping @Sendable () -> Result<V, E>
    ) -> Future<V, E> {
        Future(on: .lent(by: self)) { () throws(E) -> V in try work().get() }
    }

    /// See ``submit(after:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        after delay: Duration, _ work: @escaping @Sendable () throws(E) -> V
    ) -> Future<V, E> {
        Future(after: delay, on: self) { Result(catching: work) }
    }
}

/// Runs `body` in the background, or on `context`, and returns the future of what it returns or
/// throws. `file` and `line` are the call site, for an unobserved failure.
///
/// **Thread:** any.
/// - Complexity: As ``Future/init(on:file:line:_:)``.
@inlinable
@preconcurrency
@discardableResult
public func async<V: Sendable>(
    on context: any ExecutionContext = .background, file: StaticString = #fileID,
    line: UInt = #line, _ body: @escaping @Sendable () throws -> V
) -> Future<V, any Error> {
    let future = Future(on: context, file: file, line: line, body)
    future.noteSite(file, line)
    return future
}

/// Runs the asynchronous `body`, and returns the future of what it returns or throws.
///
/// **Thread:** any. `body` runs as an unstructured task.
/// - Complexity: O(1).
@preconcurrency
@discardableResult
public func async<V: Sendable>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> V
) -> Future<V, any Error> {
    let future = Future(file: file, line: line, body)
    future.noteSite(file, line)
    return future
}

/// Waits for `future`, and returns the value: ``Future/await(file:line:)`` as a function. Its name
/// is a keyword: write it in backticks, or write `future.await()`.
///
/// **Thread:** any but a task's; blocks.
/// - Throws: The future's error.
/// - Complexity: As ``Future/await(file:line:)``.
@available(*, noasync, message: "blocks its thread; use 'try await future.value'")
@inlinable
@discardableResult
public func `await`<V: Sendable, E: Error>(
    _ future: Future<V, E>, file: StaticString = #fileID, line: UInt = #line
) throws(E) -> V {
    try future.await(file: file, line: line)
}

/// Runs `body` in the background, or on `context`, waits for it, and returns its value.
///
/// **Thread:** any but `context`'s and a task's; blocks.
/// - Throws: What `body` throws; ``SwivelError/Code/wouldDeadlock`` when `context` is the current
///   one, and then `body` does not run.
/// - Complexity: As ``Future/init(on:file:line:_:)`` and ``Future/await(file:line:)``.
@available(*, noasync, message: "blocks its thread; use 'try await async { }.value'")
@inlinable
@preconcurrency
@discardableResult
public func `await`<V: Sendable>(
    on context: any ExecutionContext = .background, _ body: @escaping @Sendable () throws -> V,
    file: StaticString = #fileID, line: UInt = #line
) throws -> V {
    try context.refuseCurrent()
    return try Future(on: context, file: file, line: line, body).await(file: file, line: line)
}
