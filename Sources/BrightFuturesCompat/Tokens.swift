// SPDX-License-Identifier: Apache-2.0
public import Swivel

/// Keeps callbacks from running when they are no longer wanted.
@available(*, deprecated, message: "use 'InvalidationToken'")
public protocol InvalidationTokenType {
    /// Whether the token was invalidated: callbacks no longer run.
    var isInvalid: Bool { get }
    /// A future that fails when the token is invalidated.
    var future: Future<Never, FutureError<Never>> { get }
    /// See `InvalidationToken.context(_:)`.
    func validContext(_ parentContext: any ExecutionContext) -> any ExecutionContext
}

@available(*, deprecated)
extension InvalidationTokenType {
    /// Returns a context that runs work on `parentContext`, or the default context, while the token
    /// is valid. **Thread:** any.
    /// - Complexity: As `InvalidationToken.context(_:)`.
    @_disfavoredOverload
    public func validContext(
        _ parentContext: (any ExecutionContext)? = nil
    ) -> any ExecutionContext {
        validContext(parentContext ?? defaultContext())
    }

    /// See `InvalidationToken.context(_:)`.
    public var validContext: any ExecutionContext { validContext(defaultContext()) }
}

/// A token that is invalidated by hand.
@available(*, deprecated, message: "use 'InvalidationToken'")
public protocol ManualInvalidationTokenType: InvalidationTokenType {
    /// See `InvalidationToken.invalidate()`.
    func invalidate()
}

@available(*, deprecated)
extension InvalidationToken: ManualInvalidationTokenType {
    /// See `InvalidationToken.context(_:)`.
    @available(*, deprecated, renamed: "context(_:)")
    public func validContext(_ parentContext: any ExecutionContext) -> any ExecutionContext {
        context(parentContext)
    }

    /// See `InvalidationToken.context(_:)`.
    @available(*, deprecated, message: "use 'context()'")
    public var validContext: any ExecutionContext { context() }
}
