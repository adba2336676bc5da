// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs a body that blocks on a thread of its own: the cooperative pool has one thread a core, and
/// the rivals need it.
func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try body() })
        }
    }
}
