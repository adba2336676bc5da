// SPDX-License-Identifier: Apache-2.0
public import Swivel

/// What keeps callbacks from running once what they are for is gone.
@available(*, deprecated, renamed: "InvalidationToken")
public protocol InvalidationTokenType {
    /// Whether callbacks no longer run.
    var isInvalid: Bool { get }
    /// Fails when the token is invalidated.
    var future: Future<Never, FutureError<Never>> { get }
    /// Runs work on `parentContext` while the token is valid.
    func validContext(_ parentContext: any ExecutionContext) -> any ExecutionContext
}

/// A token that is invalidated by hand.
@available(*, deprecated, renamed: "InvalidationToken")
public protocol ManualInvalidationTokenType: InvalidationTokenType {
    /// Invalidates the token.
    func invalidate()
}

@available(*, deprecated)
extension InvalidationToken: ManualInvalidationTokenType {
    /// See `context(_:)`.
    @available(*, deprecated, renamed: "context(_:)")
    public func validContext(_ parentContext: any ExecutionContext) -> any ExecutionContext {
        context(parentContext)
    }

    /// See `context(_:)`.
    @available(*, deprecated, renamed: "context()")
    public var validContext: any ExecutionContext { context() }
}
