// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension Loop {
    /// Calls `body` when a closure keeps the loop from going on for longer than `limit`: once while
    /// it blocks, and once more when the loop goes on, with the whole duration.
    ///
    /// The watchdog looks every quarter of `limit`, from a thread of its own, at words that the loop
    /// writes anyway: it costs the loop nothing. It names the closure's label, if it was given one by
    /// `execute(label:_:)` or `schedule(…, label:)`, else its place in the program's files. It
    /// tells as well of a loop without a thread that has something to run and is not driven. A wait that pumps the loop is no stall, because
    /// the loop goes on. A `body` that blocks delays further reports only. It ends with the loop.
    /// Traps on a manual loop, whose time is not the watchdog's.
    ///
    ///     loop.watchdog(after: .milliseconds(100)) { stall in logger.warning("\(stall)") }
    ///
    /// **Thread:** any. `body` runs on the watchdog's thread.
    /// - Parameters:
    ///   - limit: How long the loop may not go on; at least a millisecond, and more than the time
    ///     of its turn's budget.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    ///   - body: Hears of each stall.
    /// - Returns: What ends the watchdog.
    /// - Throws: ``SwivelError`` if the system refuses a thread, or if `limit` is below a
    ///   millisecond.
    /// - Complexity: O(1), a thread.
    @preconcurrency
    @discardableResult
    public func watchdog(
        after limit: Duration, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Stall) -> Void
    ) throws(SwivelError) -> Watchdog {
        check(
            manual == nil,
            """
            a manual loop has no watchdog: its time stands still while closures run; use one on a \
            loop with real time
            """, file: file, line: line)
        guard limit >= .milliseconds(1) else {
            throw SwivelError(
                .invalidConfiguration, "a watchdog's limit is a millisecond at least, not \(limit)")
        }
        let watchdog = Watchdog()
        guard watchdog.start(WatchedLoop(self), after: limit.nanosecondsRoundedUp, body) else {
            throw SwivelError(.threadCreation, "the system refused a thread for a watchdog")
        }
        whenClosed { [weak watchdog] in watchdog?.cancel() }
        return watchdog
    }
}
