// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Tells of closures that block a loop; see ``Loop/watchdog(after:file:line:_:)``.
///
/// Dropping it does nothing: it goes on until ``cancel()`` or the loop's end.
public final class Watchdog: Sendable {
    private struct State {
        var isOver = false
    }
    private let state = Monitor(State())

    /// Whether it goes on. **Thread:** any.
    public var isActive: Bool { state.withLock { !$0.isOver } }

    /// Ends it. A call of its closure that is under way goes on.
    ///
    /// **Thread:** any, any number of times.
    /// - Complexity: O(1).
    public func cancel() {
        state.withSleepers { state, sleepers in
            state.isOver = true
            sleepers.wakeAll()
        }
    }

    /// Starts the thread. False: the system refused one.
    func start(
        _ watched: WatchedLoop, after limit: UInt64, _ body: @escaping @Sendable (Stall) -> Void
    ) -> Bool {
        Thread.start(name: "swivel.watchdog") { [state] in
            var watched = watched
            while !watched.isOver && Self.sleeps(state, limit / 4) {
                if let stall = watched.look(limit) { body(stall) }
            }
            state.withLock { $0.isOver = true }
        }
    }

    /// Sleeps for `nanoseconds`. False: it was cancelled.
    private static func sleeps(_ state: Monitor<State>, _ nanoseconds: UInt64) -> Bool {
        let deadline = swivel_now_ns() + nanoseconds
        let ended = state.wait(until: deadline) { state, _ in state.isOver ? true : nil }
        return ended == nil
    }
}
