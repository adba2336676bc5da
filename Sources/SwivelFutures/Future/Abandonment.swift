// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// An error type that can tell that a future will never complete, or that a wait was cancelled.
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
    /// The error that tells of `cause`, if the type can hold it: `any Error`, ``SwivelError`` and
    /// ``FutureError`` can.
    static func abandonment(_ cause: AbandonmentCause) -> Self? {
        if let type = Self.self as? any AbandonableError.Type {
            return type.abandonment(cause) as? Self
        }
        return SwivelError.abandonment(cause) as? Self
    }

    /// Whether the type can tell that a loop is full.
    @usableFromInline
    static var canTellOfRefusal: Bool { abandonment(.refused(.queueFull)) != nil }

    /// The error of a wait that was cancelled, if the type can hold it: see ``abandonment(_:)``.
    @usableFromInline
    static var cancellation: Self? {
        if Self.self == Never.self { return nil }
        if let type = Self.self as? any AbandonableError.Type {
            return type.cancelledWait as? Self
        }
        return CancellationError() as? Self
    }
}

extension AbandonmentCause {
    var text: String {
        switch self {
        case .refused(let refusal):
            """
            its context has refused it (\(refusal)), and its failure type cannot say so; hand it in \
            before the shutdown, or let it fail with any Error or FutureError
            """
        case .abandoned(let reason): reason
        }
    }
}
