// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
public import Foundation

/// A tick of a schedule, as its job gets it.
public struct ScheduledTick: Sendable {
    /// The schedule's name.
    public let schedule: String
    /// The tick's number in its schedule, from 0. No two ticks that fire have the same.
    public let number: Int64
    /// The instant for which it was scheduled. The job may run later, and never runs earlier.
    public let due: Date
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// A text that is the same for each attempt at this tick, and for no other tick. Hand it to
    /// services outside of the database, so that they recognise a repetition.
    public let idempotencyKey: String
    private let json: String

    package init(_ claim: Claim, due: Date) {
        schedule = claim.schedule
        number = claim.number
        self.due = due
        attempt = claim.failures + 1
        idempotencyKey = "swivel/\(claim.key)"
        json = claim.arguments
    }

    /// Returns the schedule's arguments as a value of this `type`.
    ///
    /// **Thread:** any.
    /// - Throws: The decoder's error, if they have another form.
    /// - Complexity: O(n) in the arguments.
    public func arguments<Arguments: Decodable>(_ type: Arguments.Type) throws -> Arguments {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }
}
#endif
