// SPDX-License-Identifier: Apache-2.0
#if NIO
internal import NIOCore
internal import SwivelCore
internal import Synchronization

/// Has an event loop run the turns of a loop.
///
/// The loop retains it. Whatever waits in the event loop leaves the loop alone: a turn that comes
/// after the loop's release does nothing.
final class NIOLoopHost: LoopHost {
    /// Bounds what waits in the event loop: one task, and one callback for the next deadline.
    private struct State {
        weak var loop: Loop?
        /// A task will run a turn.
        var isTurnQueued = false
        /// When a callback will run one, and the callback once the event loop has it.
        var alarm: (deadline: NIODeadline, callback: NIOScheduledCallback)?
    }

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// From here on `loop` is driven. **Thread:** the one that has made the loop and the host.
    func begin(_ loop: Loop) {
        state.withLock { $0.loop = loop }
    }

    func wake() {
        let isFirst = state.withLock { state in
            defer { state.isTurnQueued = true }
            return !state.isTurnQueued
        }
        // An event loop that has ended drops the task and says so. The turn stays queued then, so
        // that it is said once and not for each post.
        if isFirst { eventLoop.execute { self.turn(\.isTurnQueued, false) } }
    }

    /// A callback for an earlier instant stays: its turn finds nothing to do and asks anew.
    func wake(at deadline: LoopClock.Instant) {
        let deadline = NIODeadline(deadline)
        let (isNeeded, replaced) = state.withLock { state in
            guard let alarm = state.alarm else { return (true, NIOScheduledCallback?.none) }
            guard deadline < alarm.deadline else { return (false, nil) }
            state.alarm = nil
            return (true, alarm.callback)
        }
        guard isNeeded else { return }
        replaced?.cancel()
        // It cannot come before it is noted, because it comes on this thread. It throws if the
        // event loop has ended: nobody runs turns then.
        let callback = try? eventLoop.scheduleCallback(at: deadline, handler: Alarm(host: self))
        state.withLock { $0.alarm = callback.map { (deadline, $0) } }
    }

    /// Runs a turn, after the reason for it is forgotten: a post during the turn asks anew, and a
    /// turn too many does no harm.
    private func turn<Value>(_ reason: WritableKeyPath<State, Value>, _ none: Value) {
        // The reference may be the last one: the loop then ends here, after the lock.
        let loop = state.withLock { state in
            state[keyPath: reason] = none
            return state.loop
        }
        loop?.runOnce(.noWait)
    }

    deinit {
        state.withLock { $0.alarm }?.callback.cancel()
    }

    /// Weak, because the event loop holds it until the deadline, which may be years away.
    private struct Alarm: NIOScheduledCallbackHandler, Sendable {
        weak let host: NIOLoopHost?

        func handleScheduledCallback(eventLoop: some EventLoop) {
            host?.turn(\.alarm, nil)
        }
    }
}
#endif
