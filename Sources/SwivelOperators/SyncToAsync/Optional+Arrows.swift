// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelFutures

// A function that may not be there: nothing happens without it.

/// Runs the function in the background if there is one: `handler ?~>> (x)`.
///
/// - Returns: The future of what it returns or throws; `nil` if there is no function.
@preconcurrency
@discardableResult
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: (@Sendable (repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function ~>> (repeat each args)
}

/// As the form with a result, for a function that returns nothing.
@preconcurrency
public func ?~>> <each I: Sendable>(
    function: (@Sendable (repeat each I) -> Void)?, args: (repeat each I)
) {
    guard let function else { return }
    function ~>> (repeat each args)
}

/// Runs the function on the main context if there is one: `handler ?+>> (x)`.
///
/// - Returns: The future of what it returns or throws; `nil` if there is no function.
@preconcurrency
@discardableResult
public func ?+>> <each I: Sendable, O: Sendable, E: Error>(
    function: (@MainActor @Sendable (repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function +>> (repeat each args)
}

/// As the form with a result, for a function that returns nothing.
@preconcurrency
public func ?+>> <each I: Sendable>(
    function: (@MainActor @Sendable (repeat each I) -> Void)?, args: (repeat each I)
) {
    guard let function else { return }
    function +>> (repeat each args)
}

/// Binds the function to a context if there is one: `handler ?~>> context ~>> (x)`.
@preconcurrency
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: (@Sendable (repeat each I) throws(E) -> O)?, context: any ExecutionContext
) -> Route<repeat each I, O, E>? {
    guard let function else { return nil }
    return Route(function, on: context)
}

/// Runs the bound function if there is one: `handler ?~>> context ?~>> (x)`.
@discardableResult
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    route: Route<repeat each I, O, E>?, args: (repeat each I)
) -> Future<O, E>? {
    guard let route else { return nil }
    return route.async(repeat each args)
}

// What goes on after `?~>>` and `?+>>`. Disfavored, because the type checker would else try these
// for each step of every chain; the forms that take a handler end a chain, for the same reason.

/// Runs the bound function if there is one: `handler ?~>> context ~>> (x)`.
@_disfavoredOverload
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    route: Route<repeat each I, O, E>?, args: (repeat each I)
) -> Future<O, E>? {
    guard let route else { return nil }
    return route.async(repeat each args)
}

/// Chooses where the value is handled, if there will be one.
@_disfavoredOverload
public func ~>> <V: Sendable, E: Error>(
    future: Future<V, E>?, context: any ExecutionContext
) -> Hop<V, E>? {
    guard let future else { return nil }
    return Hop(future: future, context: context)
}

/// Handles the value in the background, if there will be one.
@_disfavoredOverload
@preconcurrency
public func ~>> <V: Sendable, E: Error>(
    future: Future<V, E>?, handler: @escaping @Sendable (V) -> Void
) {
    guard let future else { return }
    future ~>> handler
}

/// Handles the value on the main context, if there will be one.
@_disfavoredOverload
@preconcurrency
public func +>> <V: Sendable, E: Error>(
    future: Future<V, E>?, handler: @escaping @MainActor @Sendable (V) -> Void
) {
    guard let future else { return }
    future +>> handler
}

/// Handles the value on the context chosen before, if there will be one.
@_disfavoredOverload
@preconcurrency
public func ~>> <V: Sendable, E: Error>(
    hop: Hop<V, E>?, handler: @escaping @Sendable (V) -> Void
) {
    guard let hop else { return }
    hop ~>> handler
}
