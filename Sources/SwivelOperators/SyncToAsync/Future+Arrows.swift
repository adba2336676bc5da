// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import SwivelCore
internal import SwivelDispatch
public import SwivelFutures

/// A future and the context on which its value is to be handled: `future ~>> context`.
public struct Hop<V: Sendable, E: Error>: Sendable {
    let future: Future<V, E>
    let context: any ExecutionContext
}

/// Chooses where the value is handled: `f ~>> (x) ~>> context ~>> { handle($0) }`.
///
/// In a long chain a context by its own name, `queue`, is quicker to type-check than one by a leading
/// dot, `.main`, beside closures that calculate with `$0`.
public func ~>> <V: Sendable, E: Error>(
    future: Future<V, E>, context: any ExecutionContext
) -> Hop<V, E> {
    Hop(future: future, context: context)
}

/// Handles the value on the context chosen before.
///
/// **Thread:** any. An error is passed on, and the handler is released.
/// - Returns: The future of what the handler returns.
@preconcurrency
@discardableResult
public func ~>> <V: Sendable, E: Error, U: Sendable>(
    hop: Hop<V, E>, handler: @escaping @Sendable (V) -> U
) -> Future<U, E> {
    hop.future.map(on: hop.context, handler)
}

/// Handles the value in the background.
///
/// **Thread:** any. An error is passed on, and the handler is released.
/// - Returns: The future of what the handler returns.
@preconcurrency
@discardableResult
public func ~>> <V: Sendable, E: Error, U: Sendable>(
    future: Future<V, E>, handler: @escaping @Sendable (V) -> U
) -> Future<U, E> {
    future.map(on: .background, handler)
}

/// Handles the value on the main context.
///
/// **Thread:** any. An error is passed on, and the handler is released.
/// - Parameter handler: Isolated to the main actor: it may be one of its methods.
/// - Returns: The future of what the handler returns.
@preconcurrency
@discardableResult
public func +>> <V: Sendable, E: Error, U: Sendable>(
    future: Future<V, E>, handler: @escaping @MainActor @Sendable (V) -> U
) -> Future<U, E> {
    future.map(on: .main) { value in MainActor.assumeIsolated { handler(value) } }
}
