// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import SwivelCore
internal import SwivelDispatch

/// A function without a context, `f->>`. It cannot be called before it is given one.
public struct Unrouted<each I: Sendable, O: Sendable, E: Error>: Sendable {
    private let function: @Sendable (repeat each I) throws(E) -> O

    init(_ function: @escaping @Sendable (repeat each I) throws(E) -> O) {
        self.function = function
    }

    /// Binds the function to a context.
    ///
    /// **Thread:** any.
    /// - Parameter context: Where the function runs.
    /// - Returns: A function that can be called.
    /// - Complexity: O(1).
    public func on(_ context: any ExecutionContext) -> Route<repeat each I, O, E> {
        Route(function, on: context)
    }

    /// The function on the main context.
    public var main: Route<repeat each I, O, E> { on(.main) }

    /// The function in the background.
    public var background: Route<repeat each I, O, E> { on(.background) }
}

/// Makes the function a value that needs a context: `f->>.on(loop).async(x)`.
///
/// **Thread:** any.
/// - Parameter function: Takes any number of arguments, and may throw.
/// - Returns: A function that is to be given a context.
/// - Complexity: O(1).
@preconcurrency
public postfix func ->> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O
) -> Unrouted<repeat each I, O, E> {
    Unrouted(function)
}

/// Binds the function to the background: `f~>>.async(x)`.
///
/// **Thread:** any.
/// - Parameter function: Takes any number of arguments, and may throw.
/// - Returns: The function on ``ExecutionContext/background``.
/// - Complexity: O(1).
@preconcurrency
public postfix func ~>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    Route(function, on: .background)
}

/// Binds the function to the main context: `f+>>.async(x)`.
///
/// **Thread:** any.
/// - Parameter function: Takes any number of arguments, and may throw.
/// - Returns: The function on `.main`.
/// - Complexity: O(1).
@preconcurrency
public postfix func +>> <each I: Sendable, O: Sendable, E: Error>(
    function: @escaping @Sendable (repeat each I) throws(E) -> O
) -> Route<repeat each I, O, E> {
    Route(function, on: .main)
}
