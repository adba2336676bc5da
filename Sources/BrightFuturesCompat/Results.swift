// SPDX-License-Identifier: Apache-2.0
public import Swivel

/// BrightFutures' protocol of results, to which `Result` conforms.
@available(*, deprecated, message: "use 'Result'")
public protocol ResultProtocol<Value, Error> {
    /// The type of a success.
    associatedtype Value
    /// The type of a failure.
    associatedtype Error: Swift.Error

    /// A success with `value`. **Thread:** any.
    /// - Complexity: O(1).
    init(value: Value)
    /// A failure with `error`. **Thread:** any.
    /// - Complexity: O(1).
    init(error: Error)
    /// The value as a `Result`.
    var result: Result<Value, Error> { get }
}

@available(*, deprecated)
extension Result: ResultProtocol {
    /// The result itself.
    public var result: Result<Success, Failure> { self }
}

extension Result {
    /// A success with `value`. **Thread:** any.
    /// - Complexity: O(1).
    @available(*, deprecated, message: "use '.success'")
    public init(value: Success) { self = .success(value) }

    /// A failure with `error`. **Thread:** any.
    /// - Complexity: O(1).
    @available(*, deprecated, message: "use '.failure'")
    public init(error: Failure) { self = .failure(error) }

    /// Returns what `ifSuccess` makes of the value, or `ifFailure` of the error.
    ///
    /// **Thread:** any. The closure runs inside this call.
    /// - Complexity: O(1) and the closure.
    @available(*, deprecated, message: "use 'switch'")
    public func analysis<R>(ifSuccess: (Success) -> R, ifFailure: (Failure) -> R) -> R {
        switch self {
        case .success(let value): ifSuccess(value)
        case .failure(let error): ifFailure(error)
        }
    }

    /// Returns the result inside this one, or a failure with this one's error. **Thread:** any.
    /// - Complexity: O(1).
    @available(*, deprecated, message: "use 'flatMap { $0 }'")
    public func flatten<V>() -> Result<V, Failure> where Success == Result<V, Failure> {
        flatMap { $0 }
    }

    /// Returns the future inside this result, or a new one that has failed with its error.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1), one allocation for a failure.
    @available(*, deprecated, message: "use 'flatMap { $0 }'")
    public func flatten<V>() -> Future<V, Failure> where Success == Future<V, Failure> {
        switch self {
        case .success(let future): future
        case .failure(let error): Future(error: error)
        }
    }
}

/// The errors of a future besides its own failure.
@available(*, deprecated, renamed: "FutureError")
public typealias BrightFuturesError = FutureError

/// A value that never comes.
@available(*, deprecated, renamed: "Never")
public typealias NoValue = Never

/// An error that never comes.
@available(*, deprecated, renamed: "Never")
public typealias NoError = Never

extension FutureError {
    /// See `FutureError.failed(_:)`.
    @available(*, deprecated, renamed: "failed(_:)")
    public static func external(_ error: Underlying) -> FutureError { .failed(error) }

    /// See `FutureError.failed(_:)`.
    @available(*, deprecated, message: "use '.failed'")
    public init(external error: Underlying) { self = .failed(error) }

    /// The token was invalidated.
    @available(*, deprecated, renamed: "invalidated")
    public static var invalidationTokenInvalidated: FutureError { .invalidated }

    /// Nothing can complete the future any more.
    @available(*, deprecated, renamed: "abandoned")
    public static var illegalState: FutureError { .abandoned }
}
