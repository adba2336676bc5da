// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The progress of the run, on standard error: one line that rewrites itself on a terminal, one
/// line per contest anywhere else. It tells how much time is left, as far as the past can tell.
package final class ProgressLine {
    private let isTerminal: Bool
    private let isSilent: Bool
    private let start = Clocks.wall()
    private var lastHeading = ""
    private var done = 0

    /// How many single measurements there will be; 0 if nobody knows.
    package var total = 0

    package init(isSilent: Bool = false) {
        self.isSilent = isSilent
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    /// Shows the measurement that begins now.
    package func show(_ heading: String, _ detail: String) {
        defer { done += 1 }
        guard !isSilent else { return }
        let left = Self.left(done: done, of: total, after: Clocks.wall() - start)
        if isTerminal {
            // Carriage return, text, erase to the end of the line. A text that wrapped would stay.
            let text = "\(left)\(heading) · \(detail)"
            write("\r\(Self.cut(text, to: Terminal.width(of: STDERR_FILENO)))\u{1B}[K")
        } else if heading != lastHeading {
            write("\(left)\(heading)\n")
        }
        lastHeading = heading
    }

    /// Takes the line away again.
    package func finish() {
        if isTerminal, !isSilent { write("\r\u{1B}[K") }
    }

    /// As much of a text as a line of a terminal holds. In its last column some of them wrap.
    static func cut(_ text: String, to width: Int) -> Substring { text.prefix(max(0, width - 1)) }

    /// The share that is done, and the time left if the rest takes as long for each measurement.
    static func left(done: Int, of total: Int, after nanoseconds: UInt64) -> String {
        guard total > 0, done <= total else { return "" }
        let share = "\(100 * done / total) %"
        guard done > 0 else { return "\(share) · " }
        let seconds = Int(nanoseconds) / done * (total - done) / 1_000_000_000
        let time = seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
        return "\(share), \(time) left · "
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
