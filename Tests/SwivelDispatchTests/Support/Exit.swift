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
