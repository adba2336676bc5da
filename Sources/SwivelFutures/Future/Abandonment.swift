// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// An error type that can say that nobody will complete a future.
protocol AbandonableError: Error {
    static func abandonment(_ cause: AbandonmentCause) -> Self
}

extension SwivelError: AbandonableError {
    static func abandonment(_ cause: AbandonmentCause) -> SwivelError {
        switch cause {
        case .refused(let refusal): refusal
        case .abandoned(let reason): SwivelError(.abandoned, reason)
        }
    }
}

extension FutureError: AbandonableError {
    static func abandonment(_ cause: AbandonmentCause) -> FutureError {
        switch cause {
        case .refused: .shutdown
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
        case .refused(let refusal): "nothing runs there any more: \(refusal)"
        case .abandoned(let reason): reason
        }
    }
}
