// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import Swivel

// Twins of the operators for functions that are not `@Sendable`, as all were before Swift 6: code
// written then compiles, with a warning that says what to mend. The compiler takes them only where
// nothing else fits. Functions go to other threads unchecked here, as they did then.

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public postfix func ->> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O
) -> Unrouted<repeat each I, O, E> {
    nonisolated(unsafe) let function = function
    // because the caller answers for it, as before Swift 6.
    let sendable: @Sendable (repeat each I) throws(E) -> O = {
        (i: repeat each I) throws(E) in try function(repeat each i)
    }
    return sendable->>
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public postfix func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    function->>.background
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public postfix func +>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    function->>.main
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O, args: (repeat each I)
) -> Future<O, E> {
    function->>.background.async(repeat each args)
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ~>> <each I: Sendable>(
    function: @escaping (repeat each I) -> Void, args: (repeat each I)
) {
    nonisolated(unsafe) let function = function
    // because the caller answers for it, as before Swift 6.
    WorkerPool.shared.execute { function(repeat each args) }
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func +>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O, args: (repeat each I)
) -> Future<O, E> {
    function->>.main.async(repeat each args)
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func +>> <each I: Sendable>(
    function: @escaping (repeat each I) -> Void, args: (repeat each I)
) {
    nonisolated(unsafe) let function = function
    // because the caller answers for it, as before Swift 6.
    DispatchQueue.main.execute { function(repeat each args) }
}

/// As the operator for `@Sendable` functions, which is preferred because its context is no optional.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O, context: (any ExecutionContext)?
) -> Route<repeat each I, O, E> {
    function->>.on(context ?? .background)
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: ((repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function->>.background.async(repeat each args)
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ?~>> <each I: Sendable>(function: ((repeat each I) -> Void)?, args: (repeat each I)) {
    guard let function else { return }
    function ~>> (repeat each args)
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ?+>> <each I: Sendable, O: Sendable, E: Error>(
    function: ((repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function->>.main.async(repeat each args)
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ?+>> <each I: Sendable>(function: ((repeat each I) -> Void)?, args: (repeat each I)) {
    guard let function else { return }
    function +>> (repeat each args)
}

/// As the operator for `@Sendable` functions.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: ((repeat each I) throws(E) -> O)?, context: any ExecutionContext
) -> Route<repeat each I, O, E>? {
    guard let function else { return nil }
    return function->>.on(context)
}
