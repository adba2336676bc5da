// SPDX-License-Identifier: Apache-2.0
public import Swivel

// Twins of the operators for handlers that are not `@Sendable`: `f ~>> (x) +>> completion`, where
// `completion` is a parameter of a function written before Swift 6.

/// As the operator for `@Sendable` handlers.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ~>> <V: Sendable, E: Error, U: Sendable>(
    future: Future<V, E>, handler: @escaping (V) -> U
) -> Future<U, E> {
    future ~>> unchecked(handler)
}

/// As the operator for `@Sendable` handlers.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ~>> <V: Sendable, E: Error, U: Sendable>(
    hop: Hop<V, E>, handler: @escaping (V) -> U
) -> Future<U, E> {
    hop ~>> unchecked(handler)
}

/// As the operator for `@Sendable` handlers.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
@discardableResult
public func +>> <V: Sendable, E: Error, U: Sendable>(
    future: Future<V, E>, handler: @escaping (V) -> U
) -> Future<U, E> {
    let handler: @MainActor @Sendable (V) -> U = unchecked(handler)
    return future +>> handler
}

/// As the operator for `@Sendable` handlers.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
public func ~>> <V: Sendable, E: Error>(future: Future<V, E>?, handler: @escaping (V) -> Void) {
    guard let future else { return }
    future ~>> unchecked(handler)
}

/// As the operator for `@Sendable` handlers.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
public func ~>> <V: Sendable, E: Error>(hop: Hop<V, E>?, handler: @escaping (V) -> Void) {
    guard let hop else { return }
    hop ~>> unchecked(handler)
}

/// As the operator for `@Sendable` handlers.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
public func +>> <V: Sendable, E: Error>(future: Future<V, E>?, handler: @escaping (V) -> Void) {
    guard let future else { return }
    future +>> handler
}

/// The handler as one that goes to other threads.
private func unchecked<V, U>(_ handler: @escaping (V) -> U) -> @Sendable (V) -> U {
    nonisolated(unsafe) let handler = handler
    // because the caller answers for it, as before Swift 6.
    return { handler($0) }
}
