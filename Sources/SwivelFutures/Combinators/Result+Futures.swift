// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

extension Result where Success: Sendable {
    /// Continues a value with a future. An error skips `transform`.
    ///
    /// **Thread:** any. `transform` runs inside this call.
    /// - Returns: The future that `transform` returns; on an error, one that has failed with it.
    /// - Complexity: O(1) and `transform`.
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
