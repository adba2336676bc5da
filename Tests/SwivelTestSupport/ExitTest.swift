// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Testing

/// The output that exit tests read.
package let standardError: [any PartialKeyPath<ExitTest.Result> & Sendable] = [
    \.standardErrorContent
]

/// The body of an exit test, free to block. A process that hangs is ended by a signal, so that a
/// test which expects success fails, and one which expects a text does not find it.
package func exitTest(endAfter seconds: UInt32 = 60, _ body: () throws -> Void) rethrows {
    alarm(seconds)
    try body()
}

/// As `exitTest`, for a body that suspends.
package func suspendingExitTest(
    endAfter seconds: UInt32 = 60, _ body: () async throws -> Void
) async rethrows {
    alarm(seconds)
    try await body()
}

/// Ends an exit test as a failure whose reason is in its output. If the output is not read,
/// `SWIVEL_TEST_LOG` may name a file that gets the reason.
package func require(_ condition: Bool, _ message: String, line: UInt = #line) {
    if condition {
        return
    }
    if let file = getenv("SWIVEL_TEST_LOG").flatMap({ fopen($0, "a") }) {
        fputs("line \(line): \(message)\n", file)
        fclose(file)
    }
    fatalError("line \(line): \(message)")
}

/// Whether an exit test printed `text`.
package func printed(_ text: String, _ result: ExitTest.Result?) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}
