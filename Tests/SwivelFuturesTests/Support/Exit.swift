// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Ends an exit test as a failure whose reason its output tells.
func require(_ condition: Bool, _ message: String, line: UInt = #line) {
    if !condition {
        fatalError("line \(line): \(message)")
    }
}

/// Whether an exit test printed `text`.
func printed(_ text: String, _ result: ExitTest.Result?) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}

/// The body of an exit test, free to block. A process that hangs is ended by a signal, so that a test
/// which expects success fails.
func exitTest(_ body: () throws -> Void) rethrows {
    alarm(60)
    try body()
}

/// As `exitTest`, for a body that suspends.
func suspendingExitTest(_ body: () async throws -> Void) async rethrows {
    alarm(60)
    try await body()
}

/// Whether checks that only debug builds make are made.
var isDebug: Bool {
    #if DEBUG
    true
    #else
    false
    #endif
}
