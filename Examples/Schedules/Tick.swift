// SPDX-License-Identifier: Apache-2.0

/// A tick that a process has claimed.
struct Tick: Sendable {
    let schedule: String
    let number: String
    let due: String
    /// Attempts that have failed, and how many there are at most.
    let failures: Int
    let attempts: Int
    /// The time that its job takes outside of the database.
    let work: Duration
    /// How many of the attempts fail, in the trial.
    let fails: Int

    /// The columns that ``init(_:)`` reads.
    static let columns =
        "name, number, next_at, failures, attempts, extract(epoch FROM work), fails"

    init?(_ row: Database.Row) {
        guard row.count == 7, let schedule = row[0], let number = row[1], let due = row[2],
            let failures = row[3].flatMap(Int.init), let attempts = row[4].flatMap(Int.init),
            let seconds = row[5].flatMap(Double.init), let fails = row[6].flatMap(Int.init)
        else { return nil }
        (self.schedule, self.number, self.due) = (schedule, number, due)
        (self.failures, self.attempts) = (failures, attempts)
        (work, self.fails) = (.seconds(seconds), fails)
    }
}
