// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The body of an exit test, free to block. A process that hangs is ended by a signal, so that a
/// test which expects success fails.
func exitTest(endAfter seconds: UInt32 = 30, _ body: () throws -> Void) rethrows {
    alarm(seconds)
    try body()
}

/// Ends an exit test as a failure. Its output is not shown; `SWIVEL_TEST_LOG` may name a file that
/// gets the reason.
func require(_ condition: Bool, _ message: String, line: UInt = #line) {
    if condition {
        return
    }
    if let file = getenv("SWIVEL_TEST_LOG").flatMap({ fopen($0, "a") }) {
        fputs("line \(line): \(message)\n", file)
        fclose(file)
    }
    fatalError("line \(line): \(message)")
}
