// SPDX-License-Identifier: Apache-2.0

/// Reports closures that block a loop, until ``cancel()`` or the loop's end; see
/// ``Loop/watchdog(after:file:line:_:)``. Dropping it does nothing.
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

    /// Starts the thread.
    func start(
        _ watched: some Watched, after limit: Duration, _ body: @escaping @Sendable (Stall) -> Void
    ) throws(SwivelError) {
        guard limit >= .milliseconds(1) else {
            throw SwivelError(
                .invalidConfiguration, "a watchdog's limit is a millisecond at least, not \(limit)")
        }
        let nanoseconds = limit.nanosecondsRoundedUp
        let pause = Duration.nanoseconds(nanoseconds / 4)
        let isStarted = Thread.start(name: "swivel.watchdog") { [end] in
            var watched = watched
            while !watched.isOver, !end.wait(until: .now.advanced(by: pause), spins: false) {
                watched.check(nanoseconds).forEach(body)
            }
            end.signal()
        }
        if !isStarted {
            throw SwivelError(.threadCreation, "the system refused a thread for a watchdog")
        }
    }
}

/// The subject of a watchdog.
protocol Watched: Sendable {
    var isOver: Bool { get }
    /// Returns what has begun or ended to last for longer than `limit`, in nanoseconds.
    mutating func check(_ limit: UInt64) -> [Stall]
}

extension Loop {
    /// Calls `body` when a closure blocks the loop for longer than `limit`: once while it blocks,
    /// and once more when the loop continues, with the whole duration. The `limit` is at least a
    /// millisecond, and should be more than the time of the loop's turn budget.
    ///
    /// Every quarter of `limit` the watchdog reads words that the loop writes anyway, on a thread
    /// of its own: it costs the loop nothing. It names the closure's label, if it was given one by
    /// `execute(label:_:)` or `schedule(…, label:)`, else its place in the program's files. It also
    /// reports a loop without a thread that has something to run and is not driven. A wait that
    /// pumps the loop is no stall. A `body` that blocks delays only further reports. Traps on a
    /// manual loop, whose time is not the watchdog's.
    ///
    ///     loop.watchdog(after: .milliseconds(100)) { stall in
    ///         logger.warning("\(stall)")
    ///     }
    ///
    /// **Thread:** any. `body` runs on the watchdog's thread.
    /// - Returns: The watchdog.
    /// - Throws: ``SwivelError`` if the system refuses a thread, or if `limit` is too short.
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
        let watchdog = Watchdog()
        try watchdog.start(WatchedLoop(self), after: limit, body)
        whenClosed { [weak watchdog] in watchdog?.cancel() }
        return watchdog
    }
}

/// A loop that runs no turns, because a closure blocks it, or because it has no thread and is not
/// driven; or a thread of a pool on which a closure or a step of a task lasts.
public struct Stall: Hashable, Sendable {
    /// The name of the loop, or of the pool.
    public let loop: String
    /// The label of the closure; `nil`: it has none.
    public let label: String?
    /// The place of a closure without a label; see ``PendingWork/site``. `nil`: it has a label, or
    /// it is a future's callback, or a task on a loop. A task on a pool has the place where it goes
    /// on, which may be in Swift's runtime.
    public let site: String?
    /// Whether no closure blocks it: work is due on a loop without a thread, and the program or its
    /// host does not drive it.
    public let isUnattended: Bool
    /// How long it has lasted so far, or did if it is over: then to within a quarter of the limit.
    public let duration: Duration
    /// Whether the loop runs turns again.
    public let isOver: Bool
}

extension Stall: CustomStringConvertible {
    /// Such as `server is blocked by "render" for 1.5 seconds`.
    public var description: String {
        let verb = isOver ? "was" : "is"
        if isUnattended {
            return
                "\(loop) \(verb) not driven for \(duration), though work is due: its host has to "
                + "call runOnce(_:) after each wake, and when its descriptor is readable"
        }
        let place = site.map { "a closure at \($0)" } ?? "a callback or a task"
        let name = label.map { "\"\($0)\"" } ?? place
        return "\(loop) \(verb) blocked by \(name) for \(duration)"
    }
}
