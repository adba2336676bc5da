// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The progress of the run, on standard error: one line that rewrites itself on a terminal, one line
/// per contest anywhere else.
package final class ProgressLine {
    private let isTerminal: Bool
    private let isSilent: Bool
    private var lastHeading = ""

    package init(isSilent: Bool = false) {
        self.isSilent = isSilent
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    package func show(_ heading: String, _ detail: String) {
        guard !isSilent else { return }
        if isTerminal {
            // Carriage return, text, erase to the end of the line.
            write("\r\(heading) · \(detail)\u{1B}[K")
        } else if heading != lastHeading {
            write("\(heading)\n")
        }
        lastHeading = heading
    }

    /// Takes the line away again.
    package func finish() {
        if isTerminal, !isSilent { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
