// SPDX-License-Identifier: Apache-2.0

/// Many requests, one run an interval: a throttle.
///
/// With the leading edge a call runs the work at once, on the loop. Calls within the interval after
/// a run share one run at its end, with the trailing edge, or are dropped. Two runs never start
/// less than the interval apart. ``Coalescer`` waits for a pause instead.
public final class Throttle: Sendable {
    /// The calls of a burst that run the work.
    public enum Edges: Hashable, Sendable {
        /// The first runs it at once, the others are dropped.
        case leading
        /// All of them run it once, when the interval has passed.
        case trailing
        /// The first runs it at once, the others once more when the interval has passed.
        case both
    }

    /// The part that the timer's closure retains: it must not retain the timer.
    private struct Core: Sendable {
        struct State {
            /// The next run starts no earlier.
            var free = LoopClock.Instant(nanoseconds: 0)
            var isPending = false
            /// When the pending run starts. The timer only says when to look: a call that was
            /// delayed may arm it for a run that was cancelled since.
            var due = LoopClock.Instant(nanoseconds: 0)
        }

        let loop: Loop
        let interval: Duration
        let edges: Edges
        let work: @Sendable () -> Void
        let state = Lock(State())

        /// Notes a call. Returns when the timer is to fire; `nil`: it need not be armed.
        func call() -> LoopClock.Instant? {
            let now = loop.now
            return state.withLock { state in
                guard !state.isPending else { return nil }
                if now >= state.free {
                    state.isPending = true
                    state.due = edges == .trailing ? now.advanced(by: interval) : now
                } else {
                    state.isPending = edges != .leading
                    state.due = state.free
                }
                return state.isPending ? state.due : nil
            }
        }

        func fire(_ tick: Tick) {
            let now = loop.now
            let due: LoopClock.Instant? = state.withLock { state in
                guard state.isPending else { return nil }
                if now >= state.due {
                    state.isPending = false
                    state.free = now.advanced(by: interval)
                }
                return state.due
            }
            guard let due else { return }
            if now >= due {
                work()
            } else {
                LoopTimer.rearm(tick, at: due.nanoseconds)
            }
        }
    }

    private let core: Core
    private let timer: LoopTimer

    /// A throttle.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - loop: Runs `work`; its clock counts.
    ///   - interval: Time between the starts of two runs; zero or less traps.
    ///   - edges: The calls of a burst that run the work.
    ///   - work: Runs on the loop. Released with the throttle.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Complexity: O(1), a few allocations.
    public init(
        on loop: Loop, every interval: Duration, edges: Edges = .both,
        _ work: @escaping @Sendable () -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        check(
            interval > .zero, "an interval must be above zero, not \(interval)", file: file,
            line: line)
        let core = Core(loop: loop, interval: interval, edges: edges, work: work)
        self.core = core
        timer = LoopTimer(on: loop, label: "Throttle", ticking: { core.fire($0) })
    }

    /// Asks for a run. The work never runs inside this call.
    ///
    /// **Thread:** any.
    /// - Returns: False: the loop is shut down.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func call() -> Bool {
        guard let instant = core.call() else { return !timer.isOver }
        let isArmed = timer.arm(at: instant)
        if !isArmed {
            core.state.withLock { $0.isPending = false }
        }
        return isArmed
    }

    /// Drops the pending run. The interval after the last run goes on.
    ///
    /// **Thread:** any.
    /// - Returns: Whether a run was pending. It will not start.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func cancel() -> Bool {
        timer.disarm()
        return core.state.withLock { state in
            defer { state.isPending = false }
            return state.isPending
        }
    }

    /// Whether a run is pending. **Thread:** any.
    public var isPending: Bool {
        core.state.withLock { $0.isPending } && !timer.isOver
    }
}
