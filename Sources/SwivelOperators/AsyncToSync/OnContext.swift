// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// The context of `<<~context ~~~ operation`.
public struct RouteTarget: Sendable {
    let context: any ExecutionContext
}

/// The left side of `<<~context ~~~ operation`, which see.
///
/// - Parameter context: Where the operation runs: a loop, a queue, `.background`, your own.
public prefix func <<~ (context: any ExecutionContext) -> RouteTarget {
    RouteTarget(context: context)
}

/// Runs an asynchronous operation on a context, waits for its completion handler's call, and returns
/// what the handler was given.
///
/// ```swift
/// let saved = <<~loop ~~~ { save($0) }
/// ```
///
/// **Thread:** any but a task's; blocks. On a loop's thread the wait pumps that loop, so that the
/// operation may run on the very loop that waits; a wait on a serial queue for an operation on that
/// queue, which could never end, traps. In asynchronous code write `await` before it.
/// - Parameters:
///   - target: The context, marked with `<<~`.
///   - operation: Runs on the context. Gets the handler, which it must have called exactly once, on
///     any thread. A handler that is released uncalled or called twice traps.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public func ~~~ <O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    start(operation, on: target.context, as: "~~~").output(of: "~~~", target: target.context)
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public func ~~~ <each O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    start(operation, on: target.context, as: "~~~").output(of: "~~~", target: target.context)
}

/// Runs an asynchronous operation on a context, and suspends until its completion handler is called:
/// `let saved = await <<~loop ~~~ { save($0) }`.
///
/// - Parameters:
///   - target: The context, marked with `<<~`.
///   - operation: As for the blocking form.
/// - Returns: The handler's argument.
@preconcurrency
nonisolated(nonsending) public func ~~~ <O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await start(operation, on: target.context, as: "~~~").output(of: "~~~")
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@preconcurrency
nonisolated(nonsending) public func ~~~ <each O: Sendable>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await start(operation, on: target.context, as: "~~~").output(of: "~~~")
}
