// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// An error type that can say that nobody will complete a future, or waits for it any more.
protocol AbandonableError: Error {
    static func abandonment(_ cause: AbandonmentCause) -> Self
    /// The task that waited for the future was cancelled.
    static var cancelledWait: Self { get }
}

extension SwivelError: AbandonableError {
    static var cancelledWait: SwivelError {
        SwivelError(.cancelled, "the task that waited for the future was cancelled")
    }

    static func abandonment(_ cause: AbandonmentCause) -> SwivelError {
        switch cause {
        case .refused(let refusal): refusal
        case .abandoned(let reason): SwivelError(.abandoned, reason)
        }
    }
}

extension FutureError: AbandonableError {
    static var cancelledWait: FutureError { .cancelled }

    static func abandonment(_ cause: AbandonmentCause) -> FutureError {
        switch cause {
        case .refused(let refusal): refusal.code == .queueFull ? .abandoned : .shutdown
        case .abandoned: .abandoned
        }
    }
}

extension Error {
    /// The error in a type that can hold it: `any Error`, ``SwivelError``, ``FutureError``.
    static func abandonment(_ cause: AbandonmentCause) -> Self? {
        if let type = Self.self as? any AbandonableError.Type {
            return type.abandonment(cause) as? Self
        }
        return SwivelError.abandonment(cause) as? Self
    }
}

extension AbandonmentCause {
    var text: String {
        switch self {
        case .refused(let refusal): "its context has refused it: \(refusal)"
        case .abandoned(let reason): reason
        }
    }
}

extension Error {
    /// What says that a wait was cancelled, in a type that can hold it: `any Error`, ``SwivelError``,
    /// ``FutureError``.
    @usableFromInline
    static var cancellation: Self? {
        if Self.self == Never.self { return nil }
        if let type = Self.self as? any AbandonableError.Type {
            return type.cancelledWait as? Self
        }
        return CancellationError() as? Self
    }
}
