// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

/// Runs an asynchronous operation here, waits until it calls its completion handler, and returns
/// the handler's argument.
///
/// ```swift
/// let valid = <<-{ verify("me", completion: $0) }
/// ```
///
/// A handler that is released uncalled, or called twice, traps.
///
/// **Thread:** any but a task's; blocks unless the operation calls the handler before it returns.
/// On a loop's thread the wait pumps the loop. In asynchronous code write `await` before the
/// operator.
/// - Parameter operation: Gets the handler, and must see to it that it is called exactly once, on
///   any thread.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@available(
    *, noasync,
    message: "blocks its thread; write 'await'; at the top level of a script put it into a function"
)
@preconcurrency
public prefix func <<- <O: Sendable>(
    operation: (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    startHere(operation, as: .here).output(of: .here, target: nil)
}

/// The form for several arguments, which it returns as a tuple. `operation` is as for one.
///
/// **Thread:** any but a task's; blocks.
/// - Complexity: O(1), a few allocations.
@available(
    *, noasync,
    message: "blocks its thread; write 'await'; at the top level of a script put it into a function"
)
@preconcurrency
public prefix func <<- <each O: Sendable>(
    operation: (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    startHere(operation, as: .here).output(of: .here, target: nil)
}

/// Runs an asynchronous operation here, on the caller's actor, and suspends until it calls its
/// completion handler: `let valid = await <<-{ verify("me", completion: $0) }`.
///
/// **Thread:** a task's; suspends.
/// - Parameter operation: As for the blocking form.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public prefix func <<- <O: Sendable>(
    operation: (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await startHere(operation, as: .here).output(of: .here)
}

/// The form for several arguments, which it returns as a tuple. `operation` is as for one.
///
/// **Thread:** a task's; suspends.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public prefix func <<- <each O: Sendable>(
    operation: (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await startHere(operation, as: .here).output(of: .here)
}
