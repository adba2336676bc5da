// SPDX-License-Identifier: Apache-2.0
#if SQLite
internal import Foundation
internal import GRDB
internal import SwivelCore

extension SQLiteSession: StoreAdministration {
    func now() async throws -> Date { Date() }

    private func change(_ sql: String, _ arguments: StatementArguments) async throws -> Bool {
        try await run { database in
            try database.execute(sql: sql, arguments: arguments)
            return database.changesCount > 0
        }
    }

    func set(_ row: ScheduleRow, first: Date?) async throws {
        let same = "definition->'recurrence' = ?3->'recurrence'"
        let isDue = "(next_at <= ?8 OR failures > 0)"
        _ = try await change(
            """
            INSERT INTO swivel_schedule
                (name, job, definition, arguments, priority, enabled, next_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (name) DO UPDATE SET job = ?2, arguments = ?4, priority = ?5,
                definition = ?3, enabled = enabled AND ?6,
                next_at = CASE WHEN \(same) OR \(isDue) THEN next_at ELSE ?7 END,
                then_at = CASE WHEN \(same) THEN then_at WHEN \(isDue) THEN ?7 END
            """,
            [
                row.name, row.job, row.definition, row.arguments, row.priority, row.isEnabled,
                first?.microseconds, Date().microseconds,
            ])
    }

    func remove(_ name: String) async throws -> Bool {
        try await change("DELETE FROM swivel_schedule WHERE name = ?", [name])
    }

    func setEnabled(_ isEnabled: Bool, _ name: String) async throws -> Bool {
        try await change(
            "UPDATE swivel_schedule SET enabled = ? WHERE name = ?", [isEnabled, name])
    }

    func makeDue(_ name: String) async throws -> Bool {
        try await change(
            "UPDATE swivel_schedule SET next_at = ?, retry_at = 0 WHERE name = ?",
            [Date().microseconds, name])
    }

    func cancel(_ name: String) async throws -> Bool {
        let working = Array(store.working)
        return try await change(
            """
            INSERT OR REPLACE INTO swivel_cancel SELECT id, number FROM swivel_schedule
            WHERE name = ? AND id IN (\(databaseQuestionMarks(count: working.count)))
            """, [name] + StatementArguments(working))
    }

    func retry(_ name: String, tick: Int64, as definition: String) async throws -> Bool {
        try await run { database in
            var isThere = false
            try database.inTransaction(.immediate) {
                try database.execute(
                    sql: """
                        INSERT INTO swivel_schedule
                            (name, job, definition, arguments, priority, next_at, number, retry_of)
                        SELECT s.name || ' (tick ' || t.number || ' again)', s.job,
                            json_set(s.definition, '$.recurrence', json(?3->'recurrence'),
                                '$.missed', ?3->>'missed'),
                            s.arguments, s.priority, t.due, t.number, s.id
                        FROM swivel_schedule s JOIN swivel_tick t ON t.schedule = s.id
                        WHERE s.name = ?1 AND t.number = ?2 AND t.state = 'discarded'
                        """, arguments: [name, tick, definition])
                isThere = database.changesCount > 0
                try database.execute(
                    sql: """
                        DELETE FROM swivel_tick WHERE number = ?2 AND state = 'discarded'
                            AND schedule = (SELECT id FROM swivel_schedule WHERE name = ?1)
                        """, arguments: [name, tick])
                return .commit
            }
            return isThere
        }
    }

    func list() async throws -> [ScheduleStatus] {
        let working = store.working
        return try await run { database in
            let now = Date().microseconds
            return try Row.fetchAll(database, sql: "SELECT * FROM swivel_schedule ORDER BY name")
                .map { row in
                    let (next, due): (Int64?, Int64?) = (row["next_at"], row["due_at"])
                    let failures: Int = row["failures"]
                    let state: ScheduleStatus.State
                    if working.contains(row["id"]) {
                        state = .running
                    } else if !(row["enabled"] as Bool) {
                        state = .paused
                    } else if failures > 0 {
                        state = .failing
                    } else if let due {
                        state = due <= now ? .due : .waiting
                    } else {
                        state = .over
                    }
                    return ScheduleStatus(
                        name: row["name"], job: row["job"], state: state,
                        next: next.map { Date(microseconds: $0) }, number: row["number"],
                        failures: failures, error: row["error"], priority: row["priority"])
                }
        }
    }

    func discarded(limit: Int) async throws -> [DiscardedTick] {
        try await run { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT s.name, t.* FROM swivel_tick t JOIN swivel_schedule s ON s.id = t.schedule
                    WHERE t.state = 'discarded' ORDER BY t.fired_at DESC LIMIT ?
                    """, arguments: [limit]
            ).map { row in
                DiscardedTick(
                    schedule: row["name"], number: row["number"],
                    due: Date(microseconds: row["due"]),
                    discarded: Date(microseconds: row["fired_at"]), attempts: row["attempts"],
                    error: row["error"] ?? "")
            }
        }
    }
}
#endif
