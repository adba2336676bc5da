// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite

/// The reason why schedules cannot be stored or run.
public struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistake, and a way to correct it.
    public let description: String

    package init(_ description: String) { self.description = description }
}
#endif
