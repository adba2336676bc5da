// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
internal import Swivel

/// The schedules in their file: everything that must outlive the process is a row there.
struct Schedules: Sendable {
    /// A tick that is due.
    struct Tick: Sendable {
        let schedule: String
        let number: Int64
        /// How long its job takes, outside of the database.
        let work: Duration
    }

    private let file: DatabaseQueue

    /// Opens the file, and makes it if it is missing. A transaction that a killed process has left
    /// half done is undone by SQLite.
    init(at path: String) throws {
        var configuration = Configuration()
        // Another process may look at the file.
        configuration.busyMode = .timeout(10)
        file = try DatabaseQueue(path: path, configuration: configuration)
        try file.write { try $0.execute(sql: Self.schema) }
    }

    /// Instants are seconds since 1970, because they must mean the same to the next process.
    private static let schema = """
        CREATE TABLE IF NOT EXISTS schedule (
            name TEXT PRIMARY KEY,
            every REAL NOT NULL,
            -- The instant of the next tick, and that tick's number.
            next_at REAL NOT NULL,
            number INTEGER NOT NULL DEFAULT 0,
            ticks INTEGER NOT NULL,
            work REAL NOT NULL
        );
        -- A row for each tick that has fired. The key makes a second one impossible.
        CREATE TABLE IF NOT EXISTS tick (
            schedule TEXT REFERENCES schedule,
            number INTEGER,
            due REAL NOT NULL,
            fired_at REAL NOT NULL,
            PRIMARY KEY (schedule, number)
        );
        -- The effect of a tick: not idempotent, so that a tick that fires twice shows.
        CREATE TABLE IF NOT EXISTS account (
            schedule TEXT PRIMARY KEY REFERENCES schedule,
            balance INTEGER NOT NULL DEFAULT 0
        );
        """

    /// Adds a schedule whose first tick is due now.
    func add(_ name: String, every: Duration, ticks: Int, work: Duration) async throws {
        try await file.write { file in
            try file.execute(
                sql: "INSERT INTO schedule VALUES (?, ?, ?, 0, ?, ?)",
                arguments: [
                    name, every / .seconds(1), Date().timeIntervalSince1970, ticks,
                    work / .seconds(1),
                ])
            try file.execute(sql: "INSERT INTO account VALUES (?, 0)", arguments: [name])
        }
    }

    /// The tick that was due first.
    func dueTick() async throws -> Tick? {
        try await file.read { file in
            let row = try Row.fetchOne(
                file,
                sql: """
                    SELECT name, number, work FROM schedule
                    WHERE number < ticks AND next_at <= ? ORDER BY next_at LIMIT 1
                    """, arguments: [Date().timeIntervalSince1970])
            return row.map {
                Tick(schedule: $0["name"], number: $0["number"], work: .seconds($0["work"]))
            }
        }
    }

    /// Fires a tick whose job is done: its effect, its mark and the next instant become visible
    /// together, or not at all.
    ///
    /// A process that is killed before has fired nothing, and the next one does the job anew. One
    /// that is killed after the commit has fired the tick.
    func fire(_ tick: Tick) async throws {
        try await file.write { file in
            try file.execute(
                sql: """
                    INSERT INTO tick SELECT name, number, next_at, ? FROM schedule WHERE name = ?
                    AND number = ?
                    """,
                arguments: [Date().timeIntervalSince1970, tick.schedule, tick.number])
            // Two processes on one file do a job twice, and fire its tick once.
            guard file.changesCount == 1 else { return }
            try file.execute(
                sql: """
                    UPDATE schedule SET number = number + 1, next_at = next_at + every
                    WHERE name = ?
                    """, arguments: [tick.schedule])
            try file.execute(
                sql: "UPDATE account SET balance = balance + 5 WHERE schedule = ?",
                arguments: [tick.schedule])
        }
    }

    /// When the next tick is due.
    func nextInstant() async throws -> Date? {
        try await file.read { file in
            let sql = "SELECT min(next_at) FROM schedule WHERE number < ticks"
            return try Double.fetchOne(file, sql: sql).map(Date.init(timeIntervalSince1970:))
        }
    }

    /// How many ticks there are, have fired, and have had their effect.
    func figures() async throws -> Figures {
        try await file.read { file in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(file, sql: sql) ?? 0 }
            return Figures(
                scheduled: try count("SELECT sum(ticks) FROM schedule"),
                fired: try count("SELECT count(*) FROM tick"),
                numbers: try count("SELECT sum(number) FROM schedule"),
                effects: try count("SELECT sum(balance) / 5 FROM account"),
                early: try count("SELECT count(*) FROM tick WHERE fired_at < due"))
        }
    }

    struct Figures: Sendable {
        let scheduled: Int
        let fired: Int
        let numbers: Int
        let effects: Int
        let early: Int
    }
}
