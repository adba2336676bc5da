// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import SwivelCore
internal import SwivelDispatch

/// A function that has no context yet, and that cannot be called before it has one: `f->>`.
public struct Unrouted<each I: Sendable, O: Sendable, E: Error>: Sendable {
    private let function: @Sendable (repeat each I) throws(E) -> O

    init(_ function: @escaping @Sendable (repeat each I) throws(E) -> O) {
        self.function = function
    }

    /// The function on `context`.
    public func on(_ context: any ExecutionContext) -> Route<repeat each I, O, E> {
        Route(function, on: context)
    }

    /// The function on the main context.
    public var main: Route<repeat each I, O, E> { on(.main) }

    /// The function in the background.
    public var background: Route<repeat each I, O, E> { on(.background) }
}

/// The function as a value that is to be given a context: `f->>.on(loop).async(x)`.
@preconcurrency
public postfix func ->> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O
) -> Unrouted<repeat each I, O, E> {
    Unrouted(function)
}

/// The function bound to the background: `f~>>.async(x)`.
@preconcurrency
public postfix func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    Route(function, on: .background)
}

/// The function bound to the main context: `f+>>.async(x)`.
@preconcurrency
public postfix func +>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    Route(function, on: .main)
}
