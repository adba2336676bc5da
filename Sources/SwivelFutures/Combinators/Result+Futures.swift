// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

extension Result {
    /// The value, if it is one.
    @inlinable
    public var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error, if it is one.
    @inlinable
    public var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// The value. Only where it is known to be one.
    var success: Success {
        switch self {
        case .success(let value): value
        case .failure(let error): trap("not a success: \(error)")
        }
    }
}

extension Result where Success: Sendable {
    /// The future that `transform` makes of the value, or a failed one.
    @inlinable
    public func flatMap<U: Sendable>(
        _ transform: (Success) -> Future<U, Failure>
    ) -> Future<U, Failure> {
        switch self {
        case .success(let value): transform(value)
        case .failure(let error): Future(error: error)
        }
    }
}
