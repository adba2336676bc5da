// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

/// Carries AwaitKit's functions for a queue, because they would clash with the queue's own `async`.
@available(*, deprecated, message: "contexts have 'submit' and 'await' themselves")
public struct Extension<Base: Sendable>: Sendable {
    /// The value that the functions are for.
    public let base: Base

    /// AwaitKit's functions for `base`. **Thread:** any.
    /// - Complexity: O(1).
    public init(_ base: Base) { self.base = base }
}

/// A type that has AwaitKit's functions.
@available(*, deprecated, message: "contexts have 'submit' and 'await' themselves")
public protocol AwaitKitCompatible {
    /// The type of ``ak``.
    associatedtype CompatibleType

    /// AwaitKit's functions for this value.
    var ak: CompatibleType { get }
}

@available(*, deprecated)
extension AwaitKitCompatible where Self: Sendable {
    /// AwaitKit's functions for this value.
    public var ak: Extension<Self> { Extension(self) }
}

@available(*, deprecated)
extension DispatchQueue: AwaitKitCompatible {
    /// AwaitKit's functions on this queue.
    @available(*, deprecated, message: "use 'submit { }' and 'await(_:)'")
    public var ak: Extension<DispatchQueue> { Extension(self) }
}

/// AwaitKit's queues, one for each of its two functions. Here both are the worker pool.
@available(*, deprecated, message: "use '.background'")
public enum Queue {
    /// Where the bodies of `async` run.
    public static var async: WorkerPool { .background }
    /// Where the bodies of `await` run.
    public static var await: WorkerPool { .background }
}

@available(*, deprecated)
extension Extension where Base == DispatchQueue {
    /// AwaitKit's name for `ExecutionContext.submit(_:)`. The future keeps the error of a body that
    /// nothing waits for. An unobserved failure names `file` and `line`.
    ///
    /// **Thread:** any. `body` runs on the queue, never inside this call.
    /// - Returns: The future of what `body` returns or throws.
    /// - Complexity: As `ExecutionContext.submit(_:)`.
    @available(*, deprecated, message: "use 'submit { }'")
    @preconcurrency @discardableResult
    public func async<V: Sendable>(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable () throws -> V
    ) -> Future<V, any Error> {
        base.submit(file: file, line: line, body)
    }

    /// Runs `body` once on the queue, even if this call throws `.wouldDeadlock`, and waits for its
    /// result. **Thread:** any but this queue's and a task's; blocks.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; `SwivelError` with `.wouldDeadlock` on the queue itself.
    /// - Complexity: As `ExecutionContext.submit(_:)` and `ExecutionContext.await(_:)`.
    @available(*, deprecated, message: "use 'try submit { }.await()'")
    @available(*, noasync)
    @preconcurrency @discardableResult
    public func await<V: Sendable>(
        _ body: @escaping @Sendable () throws -> V, file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> V {
        let future: Future<V, any Error> = base.submit(body)
        return try base.await(future, file: file, line: line)
    }

    /// See `ExecutionContext.await(_:)`.
    @available(*, deprecated, message: "use 'queue.await(_:)'")
    @available(*, noasync)
    @discardableResult
    public func await<V: Sendable, E: Error>(
        _ future: Future<V, E>, file: StaticString = #fileID, line: UInt = #line
    ) throws -> V {
        try base.await(future, file: file, line: line)
    }
}

/// See `ExecutionContext.await(_:)`.
@available(*, deprecated, message: "use 'context.await(_:)'")
@available(*, noasync)
@discardableResult
public func `await`<V: Sendable, E: Error>(
    on context: any ExecutionContext, _ future: Future<V, E>, file: StaticString = #fileID,
    line: UInt = #line
) throws -> V {
    try context.await(future, file: file, line: line)
}
