// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The body of an exit test, free to block. A process that hangs is ended by a signal after so long,
/// and its text, if it had any, is missing.
func exitTest(endAfter seconds: UInt32 = 60, _ body: () throws -> Void) rethrows {
    alarm(seconds)
    try body()
}
