// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The body of an exit test, free to block. A process that hangs is ended by a signal, and has then
/// printed nothing.
func exitTest(_ body: () throws -> Void) rethrows {
    alarm(30)
    try body()
}

/// Whether an exit test printed `text`.
func printed(_ text: String, _ result: ExitTest.Result?) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
}
