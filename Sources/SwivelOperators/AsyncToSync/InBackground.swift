// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Runs an asynchronous operation in the background, waits for its completion handler's call, and
/// returns what the handler was given.
///
/// ```swift
/// let (album, error) = <<~{ getAlbum("pics", handler: $0) }
/// ```
///
/// **Thread:** any but a task's; blocks. On a loop's thread the wait pumps the loop, on a worker of the
/// background pool the worker is replaced. In asynchronous code write `await` before it.
/// - Parameter operation: Runs on ``ExecutionContext/background``. Gets the handler, which it must have
///   called exactly once, on any thread. A handler that is released uncalled or called twice traps.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<~ <O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    start(operation, on: .background, as: "<<~").output(of: "<<~", target: .background)
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<~ <each O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    start(operation, on: .background, as: "<<~").output(of: "<<~", target: .background)
}

/// Runs an asynchronous operation in the background, and suspends until its completion handler is
/// called: `let (album, error) = await <<~{ getAlbum("pics", handler: $0) }`.
///
/// - Parameter operation: As for the blocking form.
/// - Returns: The handler's argument.
@preconcurrency
nonisolated(nonsending) public prefix func <<~ <O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await start(operation, on: .background, as: "<<~").output(of: "<<~")
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@preconcurrency
nonisolated(nonsending) public prefix func <<~ <each O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await start(operation, on: .background, as: "<<~").output(of: "<<~")
}
