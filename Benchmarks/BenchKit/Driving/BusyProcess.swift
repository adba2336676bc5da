// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Another process, which keeps a processor busy until it is stopped, or until this one has ended.
package final class BusyProcess {
    private let process = Process()

    private init() throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // It asks once in some milliseconds whether this process is still there.
        process.arguments = [
            "-c",
            """
            while kill -0 "$PPID" 2>/dev/null; do
                i=0; while [ "$i" -lt 10000 ]; do i=$((i + 1)); done
            done
            """,
        ]
        try process.run()
    }

    /// Measures next to this many of them.
    package static func with<R>(_ count: Int, _ measure: () throws -> R) throws -> R {
        let processes = try (0..<count).map { _ in try BusyProcess() }
        defer { processes.forEach { $0.stop() } }
        return try measure()
    }

    private func stop() {
        // A child of a Dispatch thread has its signal mask, which blocks the gentler ones.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
