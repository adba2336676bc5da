// SPDX-License-Identifier: Apache-2.0

/// One firing of a repeating timer.
public struct Tick: Sendable {
    /// The number of the tick's instant in the grid, from 0.
    public let index: Int
    /// That instant, however late the tick is: first + index · interval, while the grid stays.
    /// ``MissedTicks/delay`` and ``TimerHandle/rearm(after:)`` begin a new grid; the index goes on.
    public let scheduled: LoopClock.Instant
    /// How long after ``scheduled`` the closure started.
    public let lateness: Duration
    /// Instants that passed without a tick since the previous one.
    public let missed: Int
    /// The repeating timer. The ticks of ``Ticks`` have none: their handle reads finished.
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

    /// Ends the repeating timer: this is its last tick. A loop over ``Ticks`` ends with `break`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public func cancel() {
        handle.cancel()
    }
}
