// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import SwivelCore
internal import SwivelDispatch
public import SwivelFutures

// The arrows. The compiler tries overloads in the order of their declarations, and most arrows of a
// chain follow a future: those forms come first. In the opposite order the compiler takes five to
// eight times as long to find a mistake in a chain.

/// A future and the context that is to handle its value: `future ~>> context`.
public struct Hop<V: Sendable, E: Error>: Sendable {
    let future: Future<V, E>
    let context: any ExecutionContext
}

/// Chooses where the value is handled: `f ~>> (x) ~>> context ~>> { handle($0) }`.
///
/// In a long chain with closures that calculate with `$0`, a context by its own name, `queue`, is
/// quicker to type-check than one by a leading dot, `.main`.
///
/// **Thread:** any.
/// - Parameters:
///   - future: What gives the value.
///   - context: Where the next handler runs.
/// - Returns: The left side of the next arrow.
/// - Complexity: O(1).
public func ~>> <V: Sendable, E: Error>(
    future: Future<V, E>, context: any ExecutionContext
) -> Hop<V, E> {
    Hop(future: future, context: context)
}

/// Handles the value on the context chosen before. An error is passed on, and the handler is
/// released.
///
/// **Thread:** any. The handler runs on the context, never inside this call.
/// - Parameters:
///   - hop: The future and the context.
///   - handler: Gets the value.
/// - Returns: The future of what the handler returns.
/// - Complexity: O(1), as `Future.map`.
@preconcurrency
@discardableResult
public func ~>> <V: Sendable, E: Error, U: Sendable>(
    hop: Hop<V, E>, handler: @escaping @Sendable (V) -> U
) -> Future<U, E> {
    hop.future.map(on: hop.context, handler)
}

/// Handles the value in the background. An error is passed on, and the handler is released.
///
/// **Thread:** any. The handler runs on ``ExecutionContext/background``.
/// - Parameters:
///   - future: What gives the value.
///   - handler: Gets the value.
/// - Returns: The future of what the handler returns.
/// - Complexity: O(1), as `Future.map`.
@preconcurrency
@discardableResult
public func ~>> <V: Sendable, E: Error, U: Sendable>(
    future: Future<V, E>, handler: @escaping @Sendable (V) -> U
) -> Future<U, E> {
    future.map(on: .background, handler)
}

/// Handles the value on the main context. An error is passed on, and the handler is released.
///
/// **Thread:** any. The handler runs on `.main`, never inside this call.
/// - Parameters:
///   - future: What gives the value.
///   - handler: Gets the value. It is isolated to the main actor, and may be one of its methods.
/// - Returns: The future of what the handler returns.
/// - Complexity: O(1), as `Future.map`.
@preconcurrency
@discardableResult
public func +>> <V: Sendable, E: Error, U: Sendable>(
    future: Future<V, E>, handler: @escaping @MainActor @Sendable (V) -> U
) -> Future<U, E> {
    future.map(on: .main) { value in MainActor.assumeIsolated { handler(value) } }
}

/// Runs the function in the background, and does not wait: `f ~>> (x)`.
///
/// **Thread:** any. The function runs on ``ExecutionContext/background``, never inside this call.
/// - Parameters:
///   - function: Takes any number of arguments, and may throw.
///   - args: The arguments, in parentheses: `f ~>> ()`, `f ~>> (1)`, `f ~>> (1, "a")`.
/// - Returns: The future of what the function returns or throws.
/// - Complexity: O(1), a few allocations.
@preconcurrency
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O, args: (repeat each I)
) -> Future<O, E> {
    WorkerPool.shared.submit { () throws(E) -> O in try function(repeat each args) }
}

/// The form without a result, for `return handler ~>> (x)` in a function that returns nothing.
/// `function` and `args` are as for the form with one. **Thread:** any; the function never runs
/// inside this call.
/// - Complexity: O(1), a few allocations.
@preconcurrency
public func ~>> <each I: Sendable>(
    function: @escaping @Sendable (repeat each I) -> Void, args: (repeat each I)
) {
    WorkerPool.shared.execute { function(repeat each args) }
}

/// Runs the function on the main context, and does not wait: `f +>> (x)`.
///
/// **Thread:** any. The function runs on `.main`, never inside this call.
/// - Parameters:
///   - function: Takes any number of arguments, and may throw. It is isolated to the main actor,
///     and may be one of its methods.
///   - args: The arguments, in parentheses.
/// - Returns: The future of what the function returns or throws.
/// - Complexity: O(1), a few allocations.
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

/// The form without a result, for `return handler +>> (x)` in a function that returns nothing.
/// `function` and `args` are as for the form with one. **Thread:** any; the function never runs
/// inside this call.
/// - Complexity: O(1), a few allocations.
@preconcurrency
public func +>> <each I: Sendable>(
    function: @escaping @MainActor @Sendable (repeat each I) -> Void, args: (repeat each I)
) {
    DispatchQueue.main.execute {
        MainActor.assumeIsolated { function(repeat each args) }
    }
}

// Disfavored: otherwise the type checker would try it for each arrow of a chain with a mistake.

/// Binds the function to a context: `f ~>> context ~>> (x)`.
///
/// **Thread:** any.
/// - Parameters:
///   - function: Takes any number of arguments, and may throw.
///   - context: Where it runs.
/// - Returns: The left side of the next arrow, a value that can be kept.
/// - Complexity: O(1).
@_disfavoredOverload
@preconcurrency
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O, context: any ExecutionContext
) -> Route<repeat each I, O, E> {
    Route(function, on: context)
}

/// Runs the bound function, and does not wait: `f ~>> context ~>> (x)`, `f~>>.on(context) ~>> (x)`.
///
/// **Thread:** any. The function never runs inside this call, except on `.immediate`.
/// - Parameters:
///   - route: The function and its context.
///   - args: The arguments, in parentheses.
/// - Returns: The future of what the function returns or throws.
/// - Complexity: O(1), a few allocations.
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    route: Route<repeat each I, O, E>, args: (repeat each I)
) -> Future<O, E> {
    route.async(repeat each args)
}

/// The form for a function that returns nothing. `route` and `args` are as for one
/// with a result. **Thread:** any; it never runs inside this call, except on `.immediate`.
/// - Complexity: O(1), a few allocations.
public func ~>> <each I: Sendable>(
    route: Route<repeat each I, Void, Never>, args: (repeat each I)
) {
    // Taking the function out of a route of `Never` crashes the compiler (Swift 6.3.1).
    route.async(repeat each args)
}
