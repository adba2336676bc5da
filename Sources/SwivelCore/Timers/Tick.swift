// SPDX-License-Identifier: Apache-2.0

/// One firing of a repeating timer.
public struct Tick: Sendable {
    /// Which instant of the grid this is, from 0.
    public let index: Int
    /// That instant, however late the tick is: first + index · interval, while the grid stays.
    /// ``MissedTicks/delay`` and ``TimerHandle/rearm(after:)`` begin a new grid, and the index goes on.
    public let scheduled: LoopClock.Instant
    /// How long after ``scheduled`` the closure started.
    public let lateness: Duration
    /// Instants that passed without a tick since the previous one.
    public let missed: Int
    /// The repeating timer.
    public let handle: TimerHandle

    /// A tick with these values.
    package init(
        index: Int, scheduled: LoopClock.Instant, lateness: Duration, missed: Int,
        handle: TimerHandle
    ) {
        self.index = index
        self.scheduled = scheduled
        self.lateness = lateness
        self.missed = missed
        self.handle = handle
    }

    /// Ends the repeating timer: this is its last tick.
    ///
    /// **Thread:** any.
    public func cancel() {
        handle.cancel()
    }
}
