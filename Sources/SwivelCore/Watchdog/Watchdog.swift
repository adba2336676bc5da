// SPDX-License-Identifier: Apache-2.0

/// Reports closures that block a loop; see ``Loop/watchdog(after:file:line:_:)``.
///
/// Dropping it does nothing: it lasts until ``cancel()`` or the loop's end.
///
/// **Thread:** any.
public final class Watchdog: Sendable {
    /// Open: the watchdog is over.
    private let end = Latch()

    /// Whether it has not ended.
    public var isActive: Bool { !end.isOpen }

    /// Ends it, if it has not ended. A call of its closure that has begun is not interrupted.
    ///
    /// - Complexity: O(1).
    public func cancel() { end.signal() }

    /// Starts the thread. False: the system refused one.
    func start(
        _ watched: WatchedLoop, after limit: UInt64, _ body: @escaping @Sendable (Stall) -> Void
    ) -> Bool {
        let pause = Duration.nanoseconds(limit / 4)
        return Thread.start(name: "swivel.watchdog") { [end] in
            var watched = watched
            while !watched.isOver, !end.wait(until: .now.advanced(by: pause), spins: false) {
                if let stall = watched.check(limit) { body(stall) }
            }
            end.signal()
        }
    }
}

extension Loop {
    /// Calls `body` when a closure blocks the loop for longer than `limit`: once while it blocks, and
    /// once more when the loop continues, with the whole duration.
    ///
    /// Every quarter of `limit` the watchdog reads words that the loop writes anyway, on a thread of
    /// its own: it costs the loop nothing. It names the closure's label, if it was given one by
    /// `execute(label:_:)` or `schedule(…, label:)`, else its place in the program's files. It also
    /// reports a loop without a thread that has something to run and is not driven. A wait that pumps
    /// the loop is no stall, because the loop runs turns. A `body` that blocks delays only further
    /// reports. The watchdog ends with the loop. Traps on a manual loop, whose time is not the
    /// watchdog's.
    ///
    ///     loop.watchdog(after: .milliseconds(100)) { stall in logger.warning("\(stall)") }
    ///
    /// **Thread:** any. `body` runs on the watchdog's thread.
    /// - Parameters:
    ///   - limit: How long a closure may block the loop; at least a millisecond, and more than the
    ///     time of its turn's budget.
    ///   - body: Receives each stall.
    ///   - file: The file of the call, for the message of a trap.
    ///   - line: The line of the call.
    /// - Returns: The watchdog.
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
