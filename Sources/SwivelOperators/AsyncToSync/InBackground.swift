// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// Runs an asynchronous operation in the background, waits until it calls its completion handler,
/// and returns the handler's argument.
///
/// ```swift
/// let (album, error) = <<~{ getAlbum("pics", handler: $0) }
/// ```
///
/// A handler that is released uncalled, or called twice, traps.
///
/// **Thread:** any but a task's; blocks. On a loop's thread the wait pumps the loop; a worker of
/// the background pool is replaced while it waits. In asynchronous code write `await` before the
/// operator.
/// - Parameter operation: Runs on ``ExecutionContext/background``. It gets the handler, and must
///   see to it that it is called exactly once, on any thread.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@inlinable
@available(
    *, noasync,
    message: "blocks its thread; write 'await'; at the top level of a script put it into a function"
)
@preconcurrency
public prefix func <<~ <O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) -> O {
    start(operation, on: .background, as: .background).output(of: .background, target: .background)
}

/// Not callable: a closure that gets no completion handler is no operation.
@available(*, unavailable, message: "write 'try async { try await f() }.await()'")
public prefix func <<~ <R>(operation: () async throws -> R) -> R {
    fatalError()
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
public prefix func <<~ <each O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) -> (repeat each O) {
    start(operation, on: .background, as: .background).output(of: .background, target: .background)
}

/// Runs an asynchronous operation in the background, and suspends until it calls its completion
/// handler: `let (album, error) = await <<~{ getAlbum("pics", handler: $0) }`.
///
/// **Thread:** a task's; suspends.
/// - Parameter operation: As for the blocking form.
/// - Returns: The handler's argument.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public prefix func <<~ <O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void
) async -> O {
    await start(operation, on: .background, as: .background).output(of: .background)
}

/// The form for several arguments, which it returns as a tuple. `operation` is as for one.
///
/// **Thread:** a task's; suspends.
/// - Complexity: O(1), a few allocations.
@preconcurrency
nonisolated(nonsending) public prefix func <<~ <each O: Sendable>(
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
) async -> (repeat each O) {
    await start(operation, on: .background, as: .background).output(of: .background)
}
