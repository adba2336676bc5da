// SPDX-License-Identifier: Apache-2.0
#if Logging
public import Logging
public import SwivelCore

extension ShutdownReport {
    /// The report as metadata: `ran`, `cancelled_timers`, `cancelled_posts`, `cancelled_watches`,
    /// `running`, `refused`, and `is_complete`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var loggerMetadata: Logger.Metadata {
        [
            "ran": .stringConvertible(ran),
            "cancelled_timers": .stringConvertible(cancelledTimers),
            "cancelled_posts": .stringConvertible(cancelledPosts),
            "cancelled_watches": .stringConvertible(cancelledWatches),
            "running": .stringConvertible(running),
            "refused": .stringConvertible(refused),
            "is_complete": .stringConvertible(isComplete),
        ]
    }
}

extension Logger {
    /// Logs what became of the closures of a loop, or of the loops of a group, that was shut down.
    ///
    /// ```swift
    /// LoopService(loop) { logger.log($0, of: "io") }
    /// ```
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - report: Its counts become metadata; see ``SwivelCore/ShutdownReport/loggerMetadata``.
    ///   - name: The loop's name, as metadata under `loop`.
    ///   - level: The level.
    ///   - file: The place of the call.
    ///   - function: See `file`.
    ///   - line: See `file`.
    /// - Complexity: That of the log handler; O(1) if the level is off.
    public func log(
        _ report: ShutdownReport, of name: String, level: Logger.Level = .info,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        log(
            level: level, "a loop has shut down",
            metadata: report.loggerMetadata.merging(["loop": .string(name)]) { $1 },
            source: "Swivel", file: file, function: function, line: line)
    }
}
#endif
