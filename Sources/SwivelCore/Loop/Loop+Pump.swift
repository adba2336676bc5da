// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

extension Loop {
    /// Runs turns until `latch` opens or `deadline` has come. Returns the status of
    /// `swivel_loop_pump`. **Thread:** the loop's.
    func pump(for latch: Latch, until deadline: UInt64, file: StaticString, line: UInt) -> Int32 {
        #if DEBUG
        let watch = PumpWatch(latch, inside: innermostWait, until: deadline, file: file, line: line)
        innermostWait = watch
        defer { innermostWait = watch.outer }
        return swivel_loop_pump(
            record,
            {
                $0.map { Unmanaged<PumpWatch>.fromOpaque($0).takeUnretainedValue().isOver() }
                    ?? true
            }, Unmanaged.passUnretained(watch).toOpaque(), deadline,
            watch.isLasting ? PumpWatch.interval : 0)
        #else
        return swivel_loop_pump(
            record,
            { $0.map { Unmanaged<Latch>.fromOpaque($0).takeUnretainedValue().isOpen } ?? true },
            Unmanaged.passUnretained(latch).toOpaque(), deadline, 0)
        #endif
    }
}

#if DEBUG
/// A wait that pumps its loop, as debug builds watch it. Only the loop's thread touches it.
///
/// Waits on one thread end innermost first. An inner wait holds up an outer one whose latch is open
/// already; if it needs something that the outer one's caller does afterwards, neither ends. The
/// library cannot detect that, so it reports an inner wait that lasts, with both call sites.
final class PumpWatch {
    /// How long an inner wait may hold up an outer one before it is reported.
    private static let limit: UInt64 = 1_000_000_000
    /// How often the loop checks an inner wait while nothing happens.
    static let interval: UInt64 = limit / 8

    private let latch: Latch
    private let file: StaticString
    private let line: UInt
    /// The wait around this one, on the same loop.
    let outer: PumpWatch?
    /// Whether this wait can hold up those around it without end: it has no time limit.
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

    /// Whether the wait is over. If not, checks the waits around it. Called between two turns.
    func isOver() -> Bool {
        if latch.isOpen { return true }
        var around = isLasting ? outer : nil
        while let wait = around {
            if wait.latch.isOpen { check(wait) }
            around = wait.outer
        }
        return false
    }

    private func check(_ wait: PumpWatch) {
        let now = swivel_now_ns()
        let since = max(wait.openSince ?? now, began)
        wait.openSince = wait.openSince ?? now
        if now >= since + Self.limit {
            Diagnostics.report(
                """
                this wait has gone on for \(Self.limit / 1_000_000_000) s inside the wait at \
                \(wait.file):\(wait.line), which could end but for it: nested waits end innermost \
                first. If it waits for what the outer one does afterwards, neither ever ends; wait \
                on .background, or continue in a future's callback
                """, file: file, line: line, others: "\(wait.file):\(wait.line)")
        }
    }
}
#endif
