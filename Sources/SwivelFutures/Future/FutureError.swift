// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// An error that a future's own failure type cannot express, or that failure.
public enum FutureError<Underlying: Error>: Error {
    /// No element matched.
    case noSuchElement
    /// The ``InvalidationToken`` was invalidated.
    case invalidated
    /// A time limit has passed. The future stays usable.
    case timedOut
    /// The work was cancelled.
    case cancelled
    /// No code can complete the future any more.
    case abandoned
    /// The loop that was to do the work is shut down.
    case shutdown
    /// The future's own failure.
    case failed(Underlying)
}

extension FutureError: Equatable where Underlying: Equatable {}
extension FutureError: Hashable where Underlying: Hashable {}

/// An error type that can express why there will be no result, next to `any Error` and
/// ``SwivelError``.
protocol AbandonableError: Error {
    static func abandonment(_ cause: SwivelError) -> Self
}

extension FutureError: AbandonableError {
    static func abandonment(_ cause: SwivelError) -> FutureError {
        switch cause.code {
        case .cancelled: .cancelled
        case .abandoned, .queueFull: .abandoned
        default: .shutdown
        }
    }
}

extension Error {
    /// The error that expresses `cause`, if the type can hold it: `any Error`, ``SwivelError`` and
    /// ``FutureError`` can.
    static func abandonment(_ cause: SwivelError) -> Self? {
        if let type = Self.self as? any AbandonableError.Type {
            return type.abandonment(cause) as? Self
        }
        return cause as? Self
    }

    /// Whether the type can express that a loop is full.
    @usableFromInline
    static var canTellOfRefusal: Bool { abandonment(.queueFull) != nil }

    /// The error of a wait that was cancelled, if the type can hold it: see ``abandonment(_:)``.
    @usableFromInline
    static var cancellation: Self? {
        if Self.self == Never.self { return nil }
        return CancellationError() as? Self
            ?? abandonment(
                SwivelError(.cancelled, "the task that waited for the future was cancelled"))
    }
}

extension SwivelError {
    /// Why a future will never have a result, for the trap of a wait for it.
    var reason: String {
        code == .abandoned
            ? message
            : """
            its context has refused it (\(self)), and its failure type cannot say so; hand it in \
            before the shutdown, or let it fail with any Error or FutureError
            """
    }
}
