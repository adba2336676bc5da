// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// Reports of debug builds about code that works by luck, or not at all. Release builds print
/// nothing but ``warn(_:)``.
package enum Diagnostics {
    /// The call sites, each with those that were reported with it.
    private static let reported = Lock<Set<String>>.ofProcess { _ in [] }

    /// In debug builds, writes `message` to the standard error output, in one piece, once for each
    /// call site, or for each combination with `others`. **Thread:** any.
    package static func report(
        _ message: @autoclosure () -> String, file: StaticString, line: UInt, others: String = ""
    ) {
        #if DEBUG
        let site = "\(file):\(line)"
        guard reported.withLock({ $0.insert("\(site) \(others)").inserted }) else { return }
        say("\(site): Swivel: \(message())\n")
        #endif
    }

    /// The same for a report that is not about a place in the program; the caller makes sure that
    /// it comes once. **Thread:** any.
    package static func report(_ message: @autoclosure () -> String) {
        #if DEBUG
        say("Swivel: \(message())\n")
        #endif
    }

    /// The same in every build: about what another library has done. **Thread:** any.
    package static func warn(_ message: String) { say("Swivel: \(message)\n") }

    private static func say(_ text: String) {
        let text = Array(text.utf8)
        _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
