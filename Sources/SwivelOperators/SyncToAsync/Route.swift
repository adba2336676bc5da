// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import SwivelCore
internal import SwivelDispatch
public import SwivelFutures

/// A function bound to a context. It is a value: it can be kept, passed on and called again.
///
/// ```swift
/// let save = store.save~>>.on(loop)
/// save.async(document)              // runs there, returns a future
/// let isSaved = save.sync(document) // runs there, waits
/// ```
public struct Route<each I: Sendable, O: Sendable, E: Error>: Sendable {
    @usableFromInline let function: @Sendable (repeat each I) throws(E) -> O
    @usableFromInline let context: any ExecutionContext

    @usableFromInline
    init(
        _ function: @escaping @Sendable (repeat each I) throws(E) -> O,
        on context: any ExecutionContext
    ) {
        self.function = function
        self.context = context
    }

    /// The same function on another context.
    ///
    /// **Thread:** any.
    /// - Parameter context: Where the function runs.
    /// - Returns: Another route. This one stays as it is.
    /// - Complexity: O(1).
    public func on(_ context: any ExecutionContext) -> Self {
        Route(function, on: context)
    }

    /// The same function on the main context.
    public var main: Self { on(.main) }

    /// The same function in the background.
    public var background: Self { on(.background) }

    /// Runs the function on its context, and does not wait.
    ///
    /// **Thread:** any. The function never runs inside this call, except on `.immediate`.
    /// - Parameters:
    ///   - i: The function's arguments.
    ///   - file: The file of the call, for an unobserved failure.
    ///   - line: The line of the call.
    /// - Returns: The future of what it returns or throws.
    /// - Complexity: O(1), a few allocations.
    @discardableResult
    public func async(
        _ i: repeat each I, file: StaticString = #fileID, line: UInt = #line
    ) -> Future<O, E> {
        let function = function
        return context.submit(file: file, line: line) { () throws(E) -> O in
            try function(repeat each i)
        }
    }

    // For a function value, `names.map(load~>>.async)`, which has no call site.
    /// See ``async(_:file:line:)``.
    @_disfavoredOverload
    @discardableResult
    public func async(_ i: repeat each I) -> Future<O, E> {
        let function = function
        return Future(on: context) { () throws(E) -> O in try function(repeat each i) }
    }

    /// Runs the function on its context, and waits until it has returned.
    ///
    /// If the caller is on the context, and it runs one closure at a time, the function runs here.
    ///
    /// **Thread:** any but a task's; blocks. In asynchronous code write `await` before it.
    /// - Parameters:
    ///   - i: The function's arguments.
    ///   - file: The file of the call, for the message of a wait that cannot end.
    ///   - line: The line of the call.
    /// - Returns: What the function returns.
    /// - Throws: What the function throws.
    /// - Complexity: O(1), a few allocations, none if the function runs here.
    @available(
        *, noasync,
        message: "blocks its thread; write 'await' before it, or, in a script, 'async(x).value'"
    )
    @discardableResult
    public func sync(
        _ i: repeat each I, file: StaticString = #fileID, line: UInt = #line
    ) throws(E) -> O {
        if context.isCurrent {
            return try function(repeat each i)
        }
        return try self.async(repeat each i, file: file, line: line).await(
            target: context, operation: ".sync", file: file, line: line)
    }

    /// Runs the function on its context, and suspends until it has returned.
    ///
    /// **Thread:** a task's.
    /// - Parameter i: The function's arguments.
    /// - Returns: What the function returns.
    /// - Throws: What the function throws.
    /// - Complexity: O(1), a few allocations.
    @discardableResult
    nonisolated(nonsending) public func sync(_ i: repeat each I) async throws(E) -> O {
        try await self.async(repeat each i).get()
    }
}
