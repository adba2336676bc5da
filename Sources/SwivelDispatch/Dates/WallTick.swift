// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import SwivelCore

/// One firing of a calendar schedule.
public struct WallTick: Sendable {
    /// The number of the tick's instant, from 0: the first one after the call has it. Instants that
    /// ``MissedTicks/delay`` leaves out have no number.
    public let index: Int
    /// That instant, however late the tick is.
    public let scheduled: Date
    /// How long after ``scheduled`` the closure started, on the wall clock; never below zero.
    public let lateness: Duration
    /// Instants that passed without a tick since the previous one: at most a thousand, which is the
    /// number that a tick visits. A step of the clock over years passes more.
    public let missed: Int
    /// The schedule.
    public let handle: TimerHandle

    init(index: Int, scheduled: Date, now: Date, missed: Int, _ handle: TimerHandle) {
        self.index = index
        self.scheduled = scheduled
        // A step of the clock may have moved it far from the instant, and sums saturate.
        lateness = .seconds(min(max(now.timeIntervalSince(scheduled), 0), 1e11))
        self.missed = missed
        self.handle = handle
    }

    /// Ends the schedule: this is its last tick.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public func cancel() { handle.cancel() }
}
