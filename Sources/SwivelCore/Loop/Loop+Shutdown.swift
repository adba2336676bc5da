// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// How a loop treats what is pending when it shuts down.
public enum ShutdownMode: Hashable, Sendable {
    /// Closures that have not started are released.
    case cancelPending
    /// Repeating timers stop. Accepted posts run, and one-shots that are due within this time, and
    /// what they schedule; the rest is released.
    case drain(within: Duration)
}

/// What a shutdown did with the closures that the loop had accepted.
public struct ShutdownReport: Hashable, Sendable {
    /// Closures that ran between the request and the end.
    public let ran: Int
    /// Closures, timers' and posts', that were released without running.
    public let cancelled: Int
    /// How many of them were timers'.
    public let cancelledTimers: Int
    /// How many of them were posts.
    public let cancelledPosts: Int
    /// Closures that were still under way on other contexts.
    public let running: Int
    /// Posts and schedules that were refused over the loop's life.
    public let refused: Int
    /// False where shutdown was called from the loop's own closure: the loop closes when its
    /// outermost turn has returned, and a later call gets the whole report.
    public let isComplete: Bool

    init(_ report: swivel_report) {
        ran = Int(clamping: report.ran)
        cancelledTimers = Int(clamping: report.cancelled_timers)
        cancelledPosts = Int(clamping: report.cancelled_posts)
        cancelled = cancelledTimers + cancelledPosts
        running = Int(clamping: report.running)
        refused = Int(clamping: report.refused)
        isComplete = report.complete
    }
}

extension Loop {
    /// Whether the loop refuses work: it is shut down, or dead in a forked child.
    var isOver: Bool { swivel_loop_refusal(record) != SWIVEL_OK }

    /// Shuts the loop down: every closure it has accepted runs, or is released and counted.
    ///
    /// From here on posts and schedules are refused. Waits for the end, but from the loop's own
    /// closures, where it returns at once and the loop closes when its outermost turn has returned.
    /// May be called any number of times, from any number of threads: the first call decides the
    /// mode, and all get the same report. Traps on ``shared`` and ``main``.
    ///
    /// **Thread:** any. Blocks. In an asynchronous function the compiler takes the form that suspends;
    /// at the top level of a script it takes this one, also after `await`, which it then says is not
    /// needed there.
    /// - Parameters:
    ///   - mode: What becomes of closures that have not started.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: What became of the closures.
    @discardableResult
    public func shutdown(
        _ mode: ShutdownMode = .cancelPending, file: StaticString = #fileID, line: UInt = #line
    ) -> ShutdownReport {
        close(mode, file, line)
    }

    /// As the form that blocks, for tasks: it suspends.
    @discardableResult
    public func shutdown(
        _ mode: ShutdownMode = .cancelPending, file: StaticString = #fileID, line: UInt = #line
    ) async -> ShutdownReport {
        if isCurrent {
            return close(mode, file, line)
        }
        return await withCheckedContinuation { continuation in
            WorkerPool.shared.execute {
                continuation.resume(returning: self.close(mode, file, line))
            }
        }
    }

    private func close(
        _ mode: ShutdownMode, _ file: StaticString, _ line: UInt
    ) -> ShutdownReport {
        check(
            !isPermanent,
            "Loop.shared and Loop.main live as long as the process; shut down a loop of your own",
            file: file, line: line)
        if let outer = Loop.current, outer !== self {
            outer.checkThatAWaitMayPump(file: file, line: line)
        }
        manual?.posts?.admit(to: self)
        return WorkerPool.whileBlocked {
            var report = swivel_report()
            switch mode {
            case .cancelPending:
                swivel_loop_shutdown(record, SWIVEL_CANCEL_PENDING, 0, &report)
            case .drain(let limit):
                swivel_loop_shutdown(record, SWIVEL_DRAIN, limit.nanosecondsRoundedUp, &report)
            }
            return ShutdownReport(report)
        }
    }
}
