// SPDX-License-Identifier: Apache-2.0
#if Logging
public import Logging
public import SwivelCore

extension LoopMetrics {
    /// The counters as metadata: `turns`, `posts`, `wakes`, `parks`, `fired`, `cancelled`,
    /// `pending`, `missed`, `refused`, `busy_share`, and two upper bounds of the lateness,
    /// `lateness_p50` and `lateness_p99`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var loggerMetadata: Logger.Metadata {
        [
            "turns": .stringConvertible(turns),
            "posts": .stringConvertible(posts),
            "wakes": .stringConvertible(wakes),
            "parks": .stringConvertible(parks),
            "fired": .stringConvertible(fired),
            "cancelled": .stringConvertible(cancelled),
            "pending": .stringConvertible(pending),
            "missed": .stringConvertible(missed),
            "refused": .stringConvertible(refused),
            "busy_share": .stringConvertible(busyShare),
            "lateness_p50": .stringConvertible(lateness.quantile(0.5)),
            "lateness_p99": .stringConvertible(lateness.quantile(0.99)),
        ]
    }
}

extension Logger {
    /// Logs a loop's counters, with the loop's name as metadata under `loop`.
    ///
    /// ```swift
    /// WorkerPool.background.schedule(every: .seconds(60)) { logger.logMetrics(of: loop) }
    /// ```
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - loop: Its counters become metadata; see ``SwivelCore/LoopMetrics/loggerMetadata``.
    ///   - level: The level.
    ///   - file: The place of the call.
    ///   - function: See `file`.
    ///   - line: See `file`.
    /// - Complexity: That of the log handler; O(1), and nothing is read, if the level is off.
    public func logMetrics(
        of loop: Loop, level: Logger.Level = .debug,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(
            level: level, "a loop's metrics",
            metadata: loop.metrics.loggerMetadata.merging(["loop": .string(loop.name)]) {
                $1
            },
            source: "Swivel", file: file, function: function, line: line)
    }
}
#endif
