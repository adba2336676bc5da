// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore
internal import SwivelDispatch

/// Runs an asynchronous operation on the main context, waits for its completion handler's call, and
/// returns what the handler was given.
///
/// ```swift
/// let (album, error) = <<+{ getAlbum("pics", handler: $0) }
/// ```
///
/// **Thread:** any but a task's; blocks. On the main thread the wait pumps the main queue, on a loop's
/// thread that loop. In asynchronous code write `await` before it.
/// - Parameter operation: Runs on `.main`, isolated to the main actor. Gets the handler, which it must
///   have called exactly once, on any thread. A handler that is released uncalled or called twice
///   traps.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<+ <O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    startOnMain(operation, as: "<<+").output(of: "<<+", target: .main)
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<+ <each O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    startOnMain(operation, as: "<<+").output(of: "<<+", target: .main)
}

/// Runs an asynchronous operation on the main context, and suspends until its completion handler is
/// called: `let (album, error) = await <<+{ getAlbum("pics", handler: $0) }`.
///
/// - Parameter operation: As for the blocking form.
/// - Returns: The handler's argument.
@preconcurrency
nonisolated(nonsending) public prefix func <<+ <O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await startOnMain(operation, as: "<<+").output(of: "<<+")
}

/// As the form for one argument, for a handler with any number of them. Returns a tuple.
@preconcurrency
nonisolated(nonsending) public prefix func <<+ <each O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await startOnMain(operation, as: "<<+").output(of: "<<+")
}
