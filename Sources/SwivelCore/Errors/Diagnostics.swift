// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Reports of debug builds about code that works by luck, or not at all. Release builds print
/// nothing.
package enum Diagnostics {
    private struct CallSite: Hashable {
        let file: String
        let line: UInt
        let others: String
    }

    private static var reported: Lock<Set<CallSite>> { FirstUse.of(only) }
    private static let only = Lock<Set<CallSite>>([])

    /// In debug builds, writes `message` to the standard error output, in one piece, once for each
    /// call site.
    ///
    /// **Thread:** any.
    /// - Parameter others: Further call sites, for a report about several together: it is written
    ///   once for each combination.
    package static func report(
        _ message: @autoclosure () -> String, file: StaticString, line: UInt, others: String = ""
    ) {
        #if DEBUG
        let site = CallSite(file: "\(file)", line: line, others: others)
        guard reported.withLock({ $0.insert(site).inserted }) else { return }
        say("\(file):\(line): Swivel: \(message())\n")
        #endif
    }

    /// In debug builds, writes `message` to the standard error output, in one piece. For reports
    /// that are not about a place in the program; the caller makes sure that they come once.
    ///
    /// **Thread:** any.
    package static func report(_ message: @autoclosure () -> String) {
        #if DEBUG
        say("Swivel: \(message())\n")
        #endif
    }

    #if DEBUG
    private static func say(_ text: String) {
        let text = Array(text.utf8)
        _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    #endif
}
