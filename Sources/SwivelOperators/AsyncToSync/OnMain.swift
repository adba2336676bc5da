// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore
internal import SwivelDispatch

/// Runs an asynchronous operation on the main context, waits until it calls its completion handler,
/// and returns the handler's argument.
///
/// ```swift
/// let (album, error) = <<+{ getAlbum("pics", handler: $0) }
/// ```
///
/// A handler that is released uncalled, or called twice, traps.
///
/// **Thread:** any but a task's; blocks. On the main thread the wait pumps the main queue, on a
/// loop's thread that loop. In asynchronous code write `await` before the operator.
/// - Parameter operation: Runs on `.main`, isolated to the main actor. It gets the handler, and
///   must see to it that it is called exactly once, on any thread.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@available(
    *, noasync,
    message: "blocks its thread; write 'await'; at the top level of a script put it into a function"
)
@preconcurrency
public prefix func <<+ <O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    startOnMain(operation, as: .main).output(of: .main, target: .main)
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
public prefix func <<+ <each O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    startOnMain(operation, as: .main).output(of: .main, target: .main)
}

/// Runs an asynchronous operation on the main context, and suspends until it calls its completion
/// handler: `let (album, error) = await <<+{ getAlbum("pics", handler: $0) }`.
///
/// **Thread:** a task's; suspends.
/// - Parameter operation: As for the blocking form.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public prefix func <<+ <O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await startOnMain(operation, as: .main).output(of: .main)
}

/// The form for several arguments, which it returns as a tuple. `operation` is as for one.
///
/// **Thread:** a task's; suspends.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public prefix func <<+ <each O: Sendable>(
    operation: @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await startOnMain(operation, as: .main).output(of: .main)
}
