// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How the tests were built.
enum Machine {
    /// Whether ThreadSanitizer watches.
    static let isThreadSanitized =
        dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil
}
