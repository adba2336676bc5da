// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL
internal import Foundation
internal import SwivelCore

extension PostgresStore {
    func migrate(on loop: Loop) async throws {
        try await withSession(on: loop) { session in
            // Another process may be at it.
            try await session.run("BEGIN; SELECT pg_advisory_xact_lock(5762893340182)")
            try await session.run(
                """
                CREATE TABLE IF NOT EXISTS swivel_schedules_version (
                    version int PRIMARY KEY,
                    -- Programs that know a version below this one cannot work with it.
                    oldest_program int NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now())
                """)
            let rows = try await session.run("SELECT max(version) FROM swivel_schedules_version")
            let present = rows.first?[0].flatMap(Int.init) ?? 0
            for (index, sql) in PostgresSchema.migrations.enumerated().dropFirst(present) {
                try await session.run(sql)
                try await session.run(
                    "INSERT INTO swivel_schedules_version VALUES ($1::int, 1)", ["\(index + 1)"])
            }
            try await session.run("COMMIT")
        }
    }

    func administer<R: Sendable>(
        on loop: Loop, _ body: @Sendable (any StoreAdministration) async throws -> R
    ) async throws -> R {
        try await withSession(on: loop) { session in
            try await session.checkVersion()
            return try await body(session)
        }
    }

    private func withSession<R: Sendable>(
        on loop: Loop, _ body: (PostgresSession) async throws -> R
    ) async throws -> R {
        let session = try await withTimeout(limits.connect, on: loop) { try await open(on: loop) }
        do {
            let result = try await body(session)
            await session.close()
            return result
        } catch {
            await session.close()
            throw error
        }
    }
}

extension PostgresSession: StoreAdministration {
    /// Runs `body` in a transaction that does not wait long for ticks that run in another one.
    func transaction<R>(_ body: () async throws -> R) async throws -> R {
        try await run("BEGIN ISOLATION LEVEL READ COMMITTED")
        try await run("SET LOCAL lock_timeout = '3s'")
        do {
            let result = try await body()
            try await run("COMMIT")
            return result
        } catch let error as PostgresError where error.state == PostgresError.isLocked {
            throw ScheduleError(
                """
                a tick of this schedule runs in a transaction: cancel it, or try again when it has \
                ended
                """)
        }
    }

    private func change(_ sql: String, _ parameters: [String?]) async throws -> Bool {
        try await transaction { try await !run(sql, parameters).isEmpty }
    }

    func now() async throws -> Date {
        let rows = try await run(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        return Date(microseconds: rows.first?[0].flatMap(Int64.init) ?? 0)
    }

    func set(_ row: ScheduleRow, first: Date?) async throws {
        let parameters = [
            row.name, row.job, row.definition, row.arguments, "\(row.priority)",
            row.isEnabled ? "true" : "false", first.map { "\($0.microseconds)" },
        ]
        // An equal row is not locked: its tick may run for long.
        let equal = try await run(
            """
            SELECT FROM swivel_schedule WHERE name = $1 AND job = $2 AND definition = $3::jsonb
                AND arguments = $4::jsonb AND priority = $5::int AND enabled <= $6::boolean
            """, Array(parameters[..<6]))
        if !equal.isEmpty { return }
        let same = "s.definition->'recurrence' = excluded.definition->'recurrence'"
        let isDue = "(s.next_at <= statement_timestamp() OR s.failures > 0)"
        _ = try await change(
            """
            INSERT INTO swivel_schedule AS s
                (name, job, definition, arguments, priority, enabled, next_at)
            VALUES ($1, $2, $3::jsonb, $4::jsonb, $5::int, $6::boolean,
                coalesce(timestamptz 'epoch' + $7::bigint * interval '1 microsecond', 'infinity'))
            ON CONFLICT (name) DO UPDATE SET job = excluded.job, arguments = excluded.arguments,
                priority = excluded.priority, definition = excluded.definition,
                enabled = s.enabled AND excluded.enabled,
                -- A tick that is due, or that has failed, is not lost.
                next_at = CASE WHEN \(same) OR \(isDue) THEN s.next_at
                    ELSE excluded.next_at END,
                then_at = CASE WHEN \(same) THEN s.then_at
                    WHEN \(isDue) THEN excluded.next_at END
            RETURNING id
            """, parameters)
    }

    func remove(_ name: String) async throws -> Bool {
        // Millions of ticks take longer than a statement may.
        guard try await setEnabled(false, name) else { return false }
        let some = """
            DELETE FROM swivel_tick WHERE ctid = ANY(ARRAY(
                SELECT t.ctid FROM swivel_tick t JOIN swivel_schedule s ON s.id = t.schedule
                WHERE s.name = $1 LIMIT 10000)) RETURNING number
            """
        while try await run(some, [name]).count == 10_000 {}
        return try await change("DELETE FROM swivel_schedule WHERE name = $1 RETURNING id", [name])
    }

    func setEnabled(_ isEnabled: Bool, _ name: String) async throws -> Bool {
        try await change(
            "UPDATE swivel_schedule SET enabled = $2::boolean WHERE name = $1 RETURNING id",
            [name, isEnabled ? "true" : "false"])
    }

    func makeDue(_ name: String) async throws -> Bool {
        try await change(
            """
            UPDATE swivel_schedule SET next_at = clock_timestamp(), retry_at = '-infinity'
            WHERE name = $1 RETURNING id
            """, [name])
    }

    func cancel(_ name: String) async throws -> Bool {
        try await change(
            """
            WITH free AS MATERIALIZED (
                SELECT id FROM swivel_schedule WHERE name = $1 FOR SHARE SKIP LOCKED
            )
            INSERT INTO swivel_cancel (schedule, number)
            SELECT id, number FROM swivel_schedule WHERE name = $1
                -- A lease, or a lock, says that a process works on the tick.
                AND (lease_until > statement_timestamp() OR id NOT IN (SELECT id FROM free))
            ON CONFLICT (schedule) DO UPDATE SET number = excluded.number RETURNING schedule
            """, [name])
    }

    func retry(_ name: String, tick: Int64, as definition: String) async throws -> Bool {
        try await change(
            """
            WITH tick AS (
                DELETE FROM swivel_tick t USING swivel_schedule s
                WHERE s.name = $1 AND t.schedule = s.id AND t.number = $2::bigint
                    AND t.state = 'discarded'
                RETURNING t.schedule, t.number, t.due
            )
            INSERT INTO swivel_schedule
                (name, job, definition, arguments, priority, next_at, number, retry_of)
            SELECT s.name || ' (tick ' || t.number || ' again)', s.job,
                s.definition || jsonb_build_object('recurrence', $3::jsonb->'recurrence',
                    'missed', $3::jsonb->'missed'),
                s.arguments, s.priority, t.due, t.number, s.id
            FROM tick t JOIN swivel_schedule s ON s.id = t.schedule RETURNING id
            """, [name, "\(tick)", definition])
    }

    func list() async throws -> [ScheduleStatus] {
        // A row that is locked has a tick in a transaction.
        try await run(
            """
            WITH free AS MATERIALIZED (
                SELECT id FROM swivel_schedule WHERE due_at <= statement_timestamp()
                FOR SHARE SKIP LOCKED
            )
            SELECT name, job, CASE
                    WHEN lease_until > statement_timestamp() THEN 'running'
                    WHEN due_at <= statement_timestamp() AND id NOT IN (SELECT id FROM free)
                    THEN 'running'
                    WHEN NOT enabled THEN 'paused'
                    WHEN failures > 0 THEN 'failing'
                    WHEN due_at <= statement_timestamp() THEN 'due'
                    WHEN next_at = 'infinity' THEN 'over'
                    ELSE 'waiting' END,
                CASE WHEN next_at < 'infinity'
                    THEN (extract(epoch FROM next_at) * 1000000)::bigint END,
                number, failures, error, priority
            FROM swivel_schedule ORDER BY name
            """
        ).compactMap { row in
            guard let name = row[0], let job = row[1],
                let state = row[2].flatMap(ScheduleStatus.State.init),
                let number = row[4].flatMap(Int64.init), let failures = row[5].flatMap(Int.init),
                let priority = row[7].flatMap(Int.init)
            else { return nil }
            return ScheduleStatus(
                name: name, job: job, state: state,
                next: row[3].flatMap(Int64.init).map { Date(microseconds: $0) }, number: number,
                failures: failures, error: row[6], priority: priority)
        }
    }

    func discarded(limit: Int) async throws -> [DiscardedTick] {
        try await run(
            """
            SELECT s.name, t.number, (extract(epoch FROM t.due) * 1000000)::bigint,
                (extract(epoch FROM t.fired_at) * 1000000)::bigint, t.attempts, t.error
            FROM swivel_tick t JOIN swivel_schedule s ON s.id = t.schedule
            WHERE t.state = 'discarded' ORDER BY t.fired_at DESC LIMIT $1::int
            """, ["\(limit)"]
        ).compactMap { row in
            guard let schedule = row[0], let number = row[1].flatMap(Int64.init),
                let due = row[2].flatMap(Int64.init), let end = row[3].flatMap(Int64.init),
                let attempts = row[4].flatMap(Int.init)
            else { return nil }
            return DiscardedTick(
                schedule: schedule, number: number, due: Date(microseconds: due),
                discarded: Date(microseconds: end), attempts: attempts, error: row[5] ?? "")
        }
    }
}
#endif
