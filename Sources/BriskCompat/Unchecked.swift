// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import Swivel

// Twins of the arrows for functions and handlers that are not `@Sendable`, as none was before
// Swift 6. Code written then compiles, with a warning that says what to change. The compiler takes
// a twin only where nothing else fits. A twin passes its function to other threads unchecked, as
// Brisk did, and otherwise does what the arrow does.
//
// A closure fits a twin as well as the arrow, so that each twin multiplies what the compiler tries
// in a chain with a mistake. Therefore the twins for handlers end a chain, as Brisk's handlers did,
// and take an optional on either side: one form instead of two, which loses to the arrow after an
// optional too.

/// See `~>>`.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
public func ~>> <V: Sendable, E: Error>(future: Future<V, E>?, handler: ((V) -> Void)?) {
    guard let future, let handler else { return }
    future ~>> unchecked(handler)
}

/// See `~>>`.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
public func ~>> <V: Sendable, E: Error>(hop: Hop<V, E>?, handler: ((V) -> Void)?) {
    guard let hop, let handler else { return }
    hop ~>> unchecked(handler)
}

/// See `+>>`.
@available(*, deprecated, message: "mark the handler '@Sendable'")
@_disfavoredOverload
public func +>> <V: Sendable, E: Error>(future: Future<V, E>?, handler: ((V) -> Void)?) {
    guard let future, let handler else { return }
    let onMain: @MainActor @Sendable (V) -> Void = unchecked(handler)
    future +>> onMain
}

/// See `->>`.
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

/// See `~>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public postfix func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    function->>.background
}

/// See `+>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public postfix func +>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    function->>.main
}

/// See `~>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O, args: (repeat each I)
) -> Future<O, E> {
    function->>.background.async(repeat each args)
}

/// See `~>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ~>> <each I: Sendable>(
    function: @escaping (repeat each I) -> Void, args: (repeat each I)
) {
    nonisolated(unsafe) let function = function
    // because the caller answers for it, as before Swift 6.
    WorkerPool.shared.execute { function(repeat each args) }
}

/// See `+>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func +>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O, args: (repeat each I)
) -> Future<O, E> {
    function->>.main.async(repeat each args)
}

/// See `+>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func +>> <each I: Sendable>(
    function: @escaping (repeat each I) -> Void, args: (repeat each I)
) {
    nonisolated(unsafe) let function = function
    // because the caller answers for it, as before Swift 6.
    DispatchQueue.main.execute { function(repeat each args) }
}

/// See `~>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping (repeat each I) throws(E) -> O, context: (any ExecutionContext)?
) -> Route<repeat each I, O, E> {
    function->>.on(context ?? .background)
}

/// See `?~>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: ((repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function->>.background.async(repeat each args)
}

/// See `?~>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ?~>> <each I: Sendable>(function: ((repeat each I) -> Void)?, args: (repeat each I)) {
    guard let function else { return }
    function ~>> (repeat each args)
}

/// See `?+>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
@discardableResult
public func ?+>> <each I: Sendable, O: Sendable, E: Error>(
    function: ((repeat each I) throws(E) -> O)?, args: (repeat each I)
) -> Future<O, E>? {
    guard let function else { return nil }
    return function->>.main.async(repeat each args)
}

/// See `?+>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ?+>> <each I: Sendable>(function: ((repeat each I) -> Void)?, args: (repeat each I)) {
    guard let function else { return }
    function +>> (repeat each args)
}

/// See `?~>>`.
@available(*, deprecated, message: "mark the function value '@Sendable'")
@_disfavoredOverload
public func ?~>> <each I: Sendable, O: Sendable, E: Error>(
    function: ((repeat each I) throws(E) -> O)?, context: any ExecutionContext
) -> Route<repeat each I, O, E>? {
    guard let function else { return nil }
    return function->>.on(context)
}

/// The handler as one that may go to other threads.
private func unchecked<V>(_ handler: @escaping (V) -> Void) -> @Sendable (V) -> Void {
    nonisolated(unsafe) let handler = handler
    // because the caller answers for it, as before Swift 6.
    return { handler($0) }
}
