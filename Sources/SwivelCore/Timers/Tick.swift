// SPDX-License-Identifier: Apache-2.0
package import CSwivel

/// One firing of a repeating timer.
public struct Tick: Sendable {
    /// The number of the tick's instant in the grid, from 0.
    public let index: Int
    /// That instant, however late the tick is: first + index · interval, while the grid stays.
    /// ``MissedTicks/delay`` and ``TimerHandle/rearm(after:)`` begin a new grid; the index
    /// continues.
    public let scheduled: LoopClock.Instant
    /// How long after ``scheduled`` the closure started.
    public let lateness: Duration
    /// Instants that passed without a tick since the previous one.
    public let missed: Int
    /// The repeating timer. The ticks of ``Ticks`` have none: their handle reads finished.
    public private(set) var handle: TimerHandle

    package init(_ tick: swivel_tick) {
        index = Int(clamping: tick.index)
        scheduled = LoopClock.Instant(nanoseconds: tick.scheduled_ns)
        lateness = .nanoseconds(
            tick.now_ns > tick.scheduled_ns ? tick.now_ns - tick.scheduled_ns : 0)
        missed = Int(clamping: tick.missed)
        handle = TimerHandle(tick.timer)
    }

    /// The same tick, of another timer.
    package func with(_ handle: TimerHandle) -> Tick {
        var tick = self
        tick.handle = handle
        return tick
    }

    /// Ends the repeating timer: this is its last tick. A loop over ``Ticks`` ends with `break`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public func cancel() { handle.cancel() }
}

/// How a repeating timer handles instants of its grid that passed while it could not run.
public enum MissedTicks: Hashable, Sendable {
    /// The latest of them gets the tick, the index jumps over the others, and the grid stays.
    case skip
    /// One tick comes, and the grid restarts at it.
    case delay
    /// Each of them gets its tick, one after another, until the timer has caught up.
    case burst

    var policy: swivel_missed {
        switch self {
        case .skip: SWIVEL_MISSED_SKIP
        case .delay: SWIVEL_MISSED_DELAY
        case .burst: SWIVEL_MISSED_BURST
        }
    }
}
