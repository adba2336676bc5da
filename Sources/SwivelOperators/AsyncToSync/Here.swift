// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

/// Runs an asynchronous operation right here, waits for its completion handler's call, and returns
/// what the handler was given.
///
/// ```swift
/// let valid = <<-{ verify("me", completion: $0) }
/// ```
///
/// **Thread:** any but a task's; blocks, unless the handler is called before the operation returns. On
/// a loop's thread the wait pumps the loop. In asynchronous code write `await` before it.
/// - Parameter operation: Gets the handler, which it must have called exactly once. A handler that is
///   released uncalled or called twice traps.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<- <O: Sendable>(
    operation: (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    startHere(operation, as: "<<-").output(of: "<<-", target: nil)
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<- <each O: Sendable>(
    operation: (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    startHere(operation, as: "<<-").output(of: "<<-", target: nil)
}

/// Runs an asynchronous operation right here, on the caller's actor, and suspends until its completion
/// handler is called: `let valid = await <<-{ verify("me", completion: $0) }`.
///
/// - Parameter operation: As for the blocking form.
/// - Returns: The handler's argument.
@preconcurrency
nonisolated(nonsending) public prefix func <<- <O: Sendable>(
    operation: (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await startHere(operation, as: "<<-").output(of: "<<-")
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@preconcurrency
nonisolated(nonsending) public prefix func <<- <each O: Sendable>(
    operation: (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await startHere(operation, as: "<<-").output(of: "<<-")
}
