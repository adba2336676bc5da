// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The contest that runs, on standard error: one line that rewrites itself on a terminal, a line
/// per two minutes anywhere else.
package final class ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var due = Clocks.wall()

    package init() {}

    package func show(_ text: String) {
        // Carriage return, text, erase to the end of the line.
        if isTerminal { return write("\r\(text.prefix(78))\u{1B}[K") }
        guard Clocks.wall() >= due else { return }
        due = Clocks.wall() + 120_000_000_000
        write("\(text)\n")
    }

    /// Takes the line away again.
    package func finish() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
