// SPDX-License-Identifier: Apache-2.0
/// Reports closures that block a loop; see ``Loop/watchdog(after:file:line:_:)``.
///
/// Dropping it does nothing: it lasts until ``cancel()`` or the loop's end.
public final class Watchdog: Sendable {
    /// Open: the watchdog is over.
    private let end = Latch()

    /// Whether it has not ended. **Thread:** any.
    public var isActive: Bool { !end.isOpen }

    /// Ends it. A call of its closure that has begun is not interrupted.
    ///
    /// **Thread:** any, any number of times.
    /// - Complexity: O(1).
    public func cancel() {
        end.signal()
    }

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
