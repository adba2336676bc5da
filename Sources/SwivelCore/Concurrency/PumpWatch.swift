// SPDX-License-Identifier: Apache-2.0
#if DEBUG
internal import CSwivel

/// A wait that pumps its loop, as debug builds watch it.
///
/// Waits on one thread nest, and end innermost first. An outer one whose latch is open is held up by
/// those inside; if one of these waits for what the outer does afterwards, neither ends. Nobody can
/// know what a wait waits for, so an inner one that lasts is reported, with both call sites.
///
/// Everything here belongs to the loop's thread.
final class PumpWatch {
    /// How long an outer wait is held up before that is reported.
    private static let limit: UInt64 = 1_000_000_000
    /// How often an inner wait is looked at while nothing happens.
    static let interval: UInt64 = limit / 8

    private let latch: Latch
    private let file: StaticString
    private let line: UInt
    /// The wait around this one, on the same loop.
    let outer: PumpWatch?
    /// Whether this wait holds up those around it: one with a limit ends by itself.
    let isLasting: Bool
    private let began = swivel_now_ns()
    /// When the latch was first seen open while an inner wait went on.
    private var openSince: UInt64?

    init(
        _ latch: Latch, inside outer: PumpWatch?, until deadline: UInt64, file: StaticString,
        line: UInt
    ) {
        self.latch = latch
        self.outer = outer
        isLasting = outer != nil && deadline == .max
        self.file = file
        self.line = line
    }

    /// Asked between two turns: whether the wait is over. If not, those around it are looked at.
    func isOver() -> Bool {
        if latch.isOpen {
            return true
        }
        var around = isLasting ? outer : nil
        while let wait = around {
            if wait.latch.isOpen {
                look(at: wait)
            }
            around = wait.outer
        }
        return false
    }

    private func look(at wait: PumpWatch) {
        let now = swivel_now_ns()
        let since = max(wait.openSince ?? now, began)
        wait.openSince = wait.openSince ?? now
        if now >= since + Self.limit {
            Diagnostics.report(
                """
                this wait has gone on for \(Self.limit / 1_000_000_000) s inside the wait at \
                \(wait.file):\(wait.line), which could end but for it: nested waits end innermost \
                first. If it waits for what the outer one does afterwards, neither ever ends; wait \
                on .background, or let a future's callback go on
                """, file: file, line: line, others: "\(wait.file):\(wait.line)")
        }
    }
}
#endif
