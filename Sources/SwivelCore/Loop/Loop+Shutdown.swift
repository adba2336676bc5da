// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// How a loop treats pending closures when it shuts down.
public enum ShutdownMode: Hashable, Sendable {
    /// Release the closures that have not started.
    case cancelPending
    /// Stop repeating timers. Run accepted posts, one-shots that are due within this time, and the
    /// work that these schedule; release the rest. On a manual loop its time moves on for that, up
    /// to the last deadline within the limit.
    case drain(within: Duration)
}

/// The fate of the closures that a loop had accepted when it was shut down.
public struct ShutdownReport: Hashable, Sendable {
    /// Closures that ran between the request and the end: ``LoopMetrics/posts`` and
    /// ``LoopMetrics/fired`` of that time. So the end of a delay or of a time limit counts, and so
    /// does each callback that it leads to on this loop.
    public private(set) var ran = 0
    /// Closures of timers and posts that were released without running, and closures of watches.
    public var cancelled: Int { cancelledTimers + cancelledPosts + cancelledWatches }
    /// How many of them were timers'.
    public private(set) var cancelledTimers = 0
    /// How many of them were posts.
    public private(set) var cancelledPosts = 0
    /// Descriptors and signals that were watched no more.
    public private(set) var cancelledWatches = 0
    /// Closures that were still running on other contexts.
    public private(set) var running = 0
    /// Posts and schedules that were refused over the loop's life.
    public private(set) var refused = 0
    /// False if shutdown was called in the loop's own closure, or in that of another loop that is
    /// closing too: a later call gets the whole report.
    public private(set) var isComplete = true

    init(_ report: swivel_report) {
        ran = Int(clamping: report.ran)
        cancelledTimers = Int(clamping: report.cancelled_timers)
        cancelledPosts = Int(clamping: report.cancelled_posts)
        cancelledWatches = Int(clamping: report.cancelled_watches)
        refused = Int(clamping: report.refused)
        isComplete = report.complete
    }

    init() {}

    mutating func add(_ other: ShutdownReport) {
        ran += other.ran
        cancelledTimers += other.cancelledTimers
        cancelledPosts += other.cancelledPosts
        cancelledWatches += other.cancelledWatches
        running += other.running
        refused += other.refused
        isComplete = isComplete && other.isComplete
    }
}

extension Loop {
    /// Whether the loop refuses work: it is shut down, or dead in a forked child.
    var isOver: Bool { swivel_loop_refusal(record) != SWIVEL_OK }

    /// Why the loop refuses work; `nil` while it does not.
    package var refusal: SwivelError? { LoopRecord(self).refusal }

    /// Shuts the loop down: every closure it has accepted runs, or is released and counted. Returns
    /// the counts.
    ///
    /// From the call on, posts and schedules are refused. The call waits for the end, except in the
    /// loop's own closures: there it returns at once, and the loop closes when its outermost turn
    /// has returned. In a closure of another loop it stops waiting once that one is asked to close
    /// as well, and if a loop that closes releases a closure it does not wait. It may be called any
    /// number of times, by any number of threads: the first call decides the `mode`, and all get
    /// the same report. Traps on ``shared`` and ``main``.
    ///
    /// **Thread:** any. Blocks. In an asynchronous function the compiler takes the form that
    /// suspends; at the top level of a script this one, even after `await`, with a warning.
    /// - Complexity: O(n) in the pending closures.
    @discardableResult
    public func shutdown(
        _ mode: ShutdownMode = .cancelPending, file: StaticString = #fileID, line: UInt = #line
    ) -> ShutdownReport {
        close(mode, file, line)
    }

    /// Shuts the loop down in this `mode` like the form that blocks, whose report it returns, but
    /// suspends the task until the end.
    ///
    /// **Thread:** any task.
    /// - Complexity: O(n) in the pending closures. A worker of ``WorkerPool/shared`` waits.
    @discardableResult
    public func shutdown(
        _ mode: ShutdownMode = .cancelPending, file: StaticString = #fileID, line: UInt = #line
    ) async -> ShutdownReport {
        if isCurrent { return close(mode, file, line) }
        return await withCheckedContinuation { continuation in
            WorkerPool.shared.execute {
                continuation.resume(returning: self.close(mode, file, line))
            }
        }
    }

    private func close(_ mode: ShutdownMode, _ file: StaticString, _ line: UInt) -> ShutdownReport {
        check(
            !isPermanent,
            "Loop.shared and Loop.main live as long as the process; shut down a loop of your own",
            file: file, line: line)
        if let outer = Loop.current, outer !== self {
            outer.checkThatAWaitMayPump(file: file, line: line)
        }
        manual?.posts?.admit(to: self)
        hosting?.end()
        return WorkerPool.whileBlocked { _ in
            var report = swivel_report()
            let (mode, within) = Self.inCore(mode)
            swivel_loop_shutdown(record, mode, within, &report)
            return ShutdownReport(report)
        }
    }

    /// Requests the loop's end if it has a thread, which is not the calling one, and does not wait.
    func beginShutdown(_ mode: ShutdownMode) {
        let (mode, within) = Self.inCore(mode)
        swivel__begin_shutdown(record, mode, within)
    }

    private static func inCore(
        _ mode: ShutdownMode
    ) -> (mode: swivel_shutdown_mode, within: UInt64) {
        switch mode {
        case .cancelPending: (SWIVEL_CANCEL_PENDING, 0)
        case .drain(let limit): (SWIVEL_DRAIN, limit.nanosecondsRoundedUp)
        }
    }
}
