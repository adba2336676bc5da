// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
public import Foundation

/// A schedule's present state.
public struct ScheduleStatus: Sendable {
    /// The state of a schedule.
    public enum State: String, Sendable {
        /// Its next tick is in the future.
        case waiting
        /// Its tick waits for a process that claims it.
        case due
        /// A process works on its tick.
        case running
        /// The tick has failed, and waits for its next attempt.
        case failing
        /// It is not enabled.
        case paused
        /// It has no more ticks.
        case over
    }

    /// Its name.
    public let name: String
    /// The name of its function.
    public let job: String
    /// Its state.
    public let state: State
    /// The instant of its next tick; `nil`: it has none.
    public let next: Date?
    /// The number of that tick: as many have ended.
    public let number: Int64
    /// Attempts at that tick that have failed.
    public let failures: Int
    /// The text of the last error.
    public let error: String?
    /// Its priority.
    public let priority: Int

    package init(
        name: String, job: String, state: State, next: Date?, number: Int64, failures: Int,
        error: String?, priority: Int
    ) {
        (self.name, self.job, self.state, self.next) = (name, job, state, next)
        (self.number, self.failures, self.error) = (number, failures, error)
        self.priority = priority
    }
}

/// A tick whose attempts have all failed.
public struct DiscardedTick: Sendable {
    /// The schedule's name.
    public let schedule: String
    /// The tick's number.
    public let number: Int64
    /// The instant for which it was scheduled.
    public let due: Date
    /// When it was discarded.
    public let discarded: Date
    /// How often it was tried.
    public let attempts: Int
    /// The last error's text.
    public let error: String

    package init(
        schedule: String, number: Int64, due: Date, discarded: Date, attempts: Int, error: String
    ) {
        (self.schedule, self.number, self.due) = (schedule, number, due)
        (self.discarded, self.attempts, self.error) = (discarded, attempts, error)
    }
}
#endif
