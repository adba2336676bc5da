// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// The left side of `<<~context ~~~ operation`.
@frozen public struct RouteTarget: Sendable {
    @usableFromInline let context: any ExecutionContext

    @inlinable
    init(context: any ExecutionContext) {
        self.context = context
    }
}

/// Marks the context of `<<~context ~~~ operation`.
///
/// **Thread:** any.
/// - Parameter context: Where the operation runs: a loop, a queue, `.background`, your own.
/// - Returns: The left side of `~~~`.
/// - Complexity: O(1).
@inlinable
public prefix func <<~ (context: any ExecutionContext) -> RouteTarget {
    RouteTarget(context: context)
}

/// Runs an asynchronous operation on a context, waits until it calls its completion handler, and
/// returns the handler's argument.
///
/// ```swift
/// let saved = <<~loop ~~~ { save($0) }
/// ```
///
/// A handler that is released uncalled, or called twice, traps. So does a wait on a serial queue
/// for an operation on that queue, which could never end.
///
/// **Thread:** any but a task's; blocks. On a loop's thread the wait pumps that loop, so that the
/// operation may run on the loop that waits. In asynchronous code write `await` before the left
/// side.
/// - Parameters:
///   - target: The context, marked with `<<~`.
///   - operation: Runs on the context. It gets the handler, and must see to it that it is called
///     exactly once, on any thread.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@inlinable
@available(
    *, noasync,
    message: "blocks its thread; write 'await'; at the top level of a script put it into a function"
)
@preconcurrency
public func ~~~ <O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    start(operation, on: target.context, as: .context).output(of: .context, target: target.context)
}

/// The form for several arguments, which it returns as a tuple. `operation` and
/// `target` are as for one.
///
/// **Thread:** any but a task's; blocks.
/// - Complexity: O(1), a few allocations.
@available(
    *, noasync,
    message: "blocks its thread; write 'await'; at the top level of a script put it into a function"
)
@preconcurrency
public func ~~~ <each O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    start(operation, on: target.context, as: .context).output(of: .context, target: target.context)
}

/// Runs an asynchronous operation on a context, and suspends until it calls its completion handler:
/// `let saved = await <<~loop ~~~ { save($0) }`.
///
/// **Thread:** a task's; suspends.
/// - Parameters:
///   - target: The context, marked with `<<~`.
///   - operation: As for the blocking form.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public func ~~~ <O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await start(operation, on: target.context, as: .context).output(of: .context)
}

/// The form for several arguments, which it returns as a tuple. `operation` and
/// `target` are as for one.
///
/// **Thread:** a task's; suspends.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public func ~~~ <each O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await start(operation, on: target.context, as: .context).output(of: .context)
}
