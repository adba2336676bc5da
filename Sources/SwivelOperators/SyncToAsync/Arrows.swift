// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import SwivelCore
internal import SwivelDispatch
public import SwivelFutures

// The arrows. The compiler tries overloads in the order in which they are declared, and most arrows of a
// chain follow a future: those forms come first. The other way round a chain with a mistake takes it
// five to eight times as long.

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

/// Runs the function in the background, and does not wait: `f ~>> (x)`.
///
/// **Thread:** any. The function never runs inside this call.
/// - Parameters:
///   - function: With any number of arguments; may throw.
///   - args: The arguments, in parentheses: `f ~>> ()`, `f ~>> (1)`, `f ~>> (1, "a")`.
/// - Returns: The future of what the function returns or throws.
@preconcurrency
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O, args: (repeat each I)
) -> Future<O, E> {
    WorkerPool.shared.submit { () throws(E) -> O in try function(repeat each args) }
}

/// As the form with a result, so that `return handler ~>> (x)` can be written where nothing is
/// returned.
@preconcurrency
public func ~>> <each I: Sendable>(
    function: @escaping @Sendable (repeat each I) -> Void, args: (repeat each I)
) {
    WorkerPool.shared.execute { function(repeat each args) }
}

/// Runs the function on the main context, and does not wait: `f +>> (x)`.
///
/// **Thread:** any. The function never runs inside this call; it may be a main-actor method.
/// - Parameters:
///   - function: With any number of arguments; may throw.
///   - args: The arguments, in parentheses.
/// - Returns: The future of what the function returns or throws.
@preconcurrency
@discardableResult
public func +>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @MainActor @Sendable (repeat each I) throws(E) -> O, args: (repeat each I)
) -> Future<O, E> {
    DispatchQueue.main.submit { () -> Result<O, E> in
        MainActor.assumeIsolated {
            do throws(E) {
                return .success(try function(repeat each args))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// As the form with a result, so that `return handler +>> (x)` can be written where nothing is
/// returned.
@preconcurrency
public func +>> <each I: Sendable>(
    function: @escaping @MainActor @Sendable (repeat each I) -> Void, args: (repeat each I)
) {
    DispatchQueue.main.execute {
        MainActor.assumeIsolated { function(repeat each args) }
    }
}

// Disfavored, because the type checker would else try it for each arrow of a chain with a mistake.

/// The function bound to a context: `f ~>> context ~>> (x)`.
@_disfavoredOverload
@preconcurrency
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O, context: any ExecutionContext
) -> Route<repeat each I, O, E> {
    Route(function, on: context)
}

/// Runs the bound function, and does not wait: `f ~>> context ~>> (x)`, `f~>>.on(context) ~>> (x)`.
///
/// **Thread:** any. See ``Route/async(_:)``.
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    route: Route<repeat each I, O, E>, args: (repeat each I)
) -> Future<O, E> {
    route.async(repeat each args)
}

/// As the form with a result, for a function that returns nothing.
public func ~>> <each I: Sendable>(
    route: Route<repeat each I, Void, Never>, args: (repeat each I)
) {
    // Taking the function out of a route of `Never` crashes the compiler (Swift 6.3.1).
    route.async(repeat each args)
}
