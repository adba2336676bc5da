// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The contest under way, on standard error: one line that rewrites itself on a terminal, a line per
/// contest anywhere else.
package struct ProgressLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    package init() {}

    package func show(_ text: String) {
        // Carriage return, text, erase to the end of the line.
        write(isTerminal ? "\r\(text.prefix(78))\u{1B}[K" : "\(text)\n")
    }

    /// Takes the line away again.
    package func finish() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
