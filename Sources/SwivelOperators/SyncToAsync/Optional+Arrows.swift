// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelFutures

// Arrows for a function that may be `nil`. Without a function nothing happens.

/// Runs the function in the background if there is one: `handler ?~>> (x)`.
///
/// **Thread:** any. The function never runs inside this call.
/// - Parameters:
///   - function: Takes any number of arguments, and may throw.
///   - args: The arguments, in parentheses.
/// - Returns: The future of what the function returns or throws; `nil` without a function.
/// - Complexity: O(1), a few allocations.
@preconcurrency
@discardableResult
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: (@Sendable (repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function ~>> (repeat each args)
}

/// The form for a function that returns nothing. `function` and `args` are as for one with a
/// result. **Thread:** any; the function never runs inside this call.
/// - Complexity: O(1), a few allocations.
@preconcurrency
public func ?~>> <each I: Sendable>(
    function: (@Sendable (repeat each I) -> Void)?, args: (repeat each I)
) {
    guard let function else { return }
    function ~>> (repeat each args)
}

/// Runs the function on the main context if there is one: `handler ?+>> (x)`.
///
/// **Thread:** any. The function never runs inside this call.
/// - Parameters:
///   - function: Takes any number of arguments, and may throw. It is isolated to the main actor.
///   - args: The arguments, in parentheses.
/// - Returns: The future of what the function returns or throws; `nil` without a function.
/// - Complexity: O(1), a few allocations.
@preconcurrency
@discardableResult
public func ?+>> <each I: Sendable, O: Sendable, E: Error>(
    function: (@MainActor @Sendable (repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function +>> (repeat each args)
}

/// The form for a function that returns nothing. `function` and `args` are as for one with a
/// result. **Thread:** any; the function never runs inside this call.
/// - Complexity: O(1), a few allocations.
@preconcurrency
public func ?+>> <each I: Sendable>(
    function: (@MainActor @Sendable (repeat each I) -> Void)?, args: (repeat each I)
) {
    guard let function else { return }
    function +>> (repeat each args)
}

/// Binds the function, if there is one, to a context: `handler ?~>> context ~>> (x)`.
///
/// **Thread:** any.
/// - Parameters:
///   - function: Takes any number of arguments, and may throw.
///   - context: Where it runs.
/// - Returns: The left side of the next arrow; `nil` without a function.
/// - Complexity: O(1).
@preconcurrency
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: (@Sendable (repeat each I) throws(E) -> O)?, context: any ExecutionContext
) -> Route<repeat each I, O, E>? {
    guard let function else { return nil }
    return Route(function, on: context)
}

/// Runs the bound function if there is one: `handler ?~>> context ?~>> (x)`.
///
/// **Thread:** any. The function never runs inside this call, except on `.immediate`.
/// - Parameters:
///   - route: The function and its context.
///   - args: The arguments, in parentheses.
/// - Returns: The future of what the function returns or throws; `nil` without a function.
/// - Complexity: O(1), a few allocations.
@discardableResult
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    route: Route<repeat each I, O, E>?, args: (repeat each I)
) -> Future<O, E>? {
    guard let route else { return nil }
    return route.async(repeat each args)
}

/// The form for a function that returns nothing. `route` and `args` are as for one
/// with a result. **Thread:** any; it never runs inside this call, except on `.immediate`.
/// - Complexity: O(1), a few allocations.
@_disfavoredOverload
public func ?~>> <each I: Sendable>(
    route: Route<repeat each I, Void, Never>?, args: (repeat each I)
) {
    guard let route else { return }
    route.async(repeat each args)
}

// Arrows after `?~>>` and `?+>>`. Disfavored: otherwise the type checker would try them for each
// step of every chain. For the same reason the forms that take a handler end a chain.

/// Runs the bound function if there is one: `handler ?~>> context ~>> (x)`.
///
/// **Thread:** any. The function never runs inside this call, except on `.immediate`.
/// - Parameters:
///   - route: The function and its context.
///   - args: The arguments, in parentheses.
/// - Returns: The future of what the function returns or throws; `nil` without a function.
/// - Complexity: O(1), a few allocations.
@_disfavoredOverload
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    route: Route<repeat each I, O, E>?, args: (repeat each I)
) -> Future<O, E>? {
    guard let route else { return nil }
    return route.async(repeat each args)
}

/// The form for a function that returns nothing. `route` and `args` are as for one
/// with a result. **Thread:** any; it never runs inside this call, except on `.immediate`.
/// - Complexity: O(1), a few allocations.
@_disfavoredOverload
public func ~>> <each I: Sendable>(
    route: Route<repeat each I, Void, Never>?, args: (repeat each I)
) {
    guard let route else { return }
    route.async(repeat each args)
}

/// Chooses where the value is handled, if there will be one.
///
/// **Thread:** any.
/// - Parameters:
///   - future: What gives the value, or `nil`.
///   - context: Where the next handler runs.
/// - Returns: The left side of the next arrow; `nil` without a future.
/// - Complexity: O(1).
@_disfavoredOverload
public func ~>> <V: Sendable, E: Error>(
    future: Future<V, E>?, context: any ExecutionContext
) -> Hop<V, E>? {
    guard let future else { return nil }
    return Hop(future: future, context: context)
}

/// Handles the value in the background, if there will be one.
///
/// **Thread:** any. The handler runs on ``ExecutionContext/background``.
/// - Parameters:
///   - future: What gives the value, or `nil`.
///   - handler: Gets the value. An error releases it.
/// - Complexity: O(1), as `Future.map`.
@_disfavoredOverload
@preconcurrency
public func ~>> <V: Sendable, E: Error>(
    future: Future<V, E>?, handler: @escaping @Sendable (V) -> Void
) {
    guard let future else { return }
    future ~>> handler
}

/// Handles the value on the main context, if there will be one.
///
/// **Thread:** any. The handler runs on `.main`, never inside this call.
/// - Parameters:
///   - future: What gives the value, or `nil`.
///   - handler: Gets the value. An error releases it.
/// - Complexity: O(1), as `Future.map`.
@_disfavoredOverload
@preconcurrency
public func +>> <V: Sendable, E: Error>(
    future: Future<V, E>?, handler: @escaping @MainActor @Sendable (V) -> Void
) {
    guard let future else { return }
    future +>> handler
}

/// Handles the value on the context chosen before, if there will be one.
///
/// **Thread:** any. The handler runs on the context.
/// - Parameters:
///   - hop: The future and the context, or `nil`.
///   - handler: Gets the value. An error releases it.
/// - Complexity: O(1), as `Future.map`.
@_disfavoredOverload
@preconcurrency
public func ~>> <V: Sendable, E: Error>(
    hop: Hop<V, E>?, handler: @escaping @Sendable (V) -> Void
) {
    guard let hop else { return }
    hop ~>> handler
}
