// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL
internal import Foundation
internal import SwivelCore

/// A connection, with the statements of schedules.
struct PostgresSession: StoreSession {
    private let connection: PostgresConnection
    let canListen: Bool
    private let limit: Duration
    private let lease: Duration

    init(_ connection: PostgresConnection, canListen: Bool, limit: Duration, lease: Duration) {
        self.connection = connection
        self.canListen = canListen
        self.limit = limit
        self.lease = lease
    }

    @discardableResult
    func run(_ sql: String, _ parameters: [String?] = []) async throws -> [[String?]] {
        // The database's own limit comes first, and keeps the connection.
        try await connection.query(
            sql, parameters, limit: limit + .seconds(1),
            isPrepared: canListen && !parameters.isEmpty)
    }

    /// Behind a pooler a statement is a transaction, with the isolation that the database has: it
    /// may have to be repeated.
    private func runAlone(_ sql: String, _ parameters: [String?]) async throws -> [[String?]] {
        for _ in 0..<3 {
            do {
                return try await run(sql, parameters)
            } catch let error as PostgresError where !canListen && error.isOfOtherTransactions {}
        }
        return try await run(sql, parameters)
    }

    func checkVersion() async throws {
        do {
            let rows = try await run(
                "SELECT max(version), max(oldest_program) FROM swivel_schedules_version")
            let version = rows.first?.first?.flatMap { $0 }.flatMap(Int.init) ?? 0
            let oldest = rows.first?.last?.flatMap { $0 }.flatMap(Int.init) ?? 0
            try PostgresSchema.check(version: version, oldestProgram: oldest)
        } catch let error as PostgresError where error.state == PostgresError.noTable {
            try PostgresSchema.check(version: 0, oldestProgram: 0)
        }
    }

    /// Undoes what jobs have set, and sets the limits of the session.
    var settings: String {
        """
        SET SESSION AUTHORIZATION DEFAULT; RESET ROLE; RESET ALL; DISCARD TEMP;
        SELECT pg_advisory_unlock_all();
        SET idle_in_transaction_session_timeout = \(lease.wholeMilliseconds);
        SET statement_timeout = \(limit.wholeMilliseconds);
        SET default_transaction_isolation = 'read committed'
        """
    }

    func listen() async throws { if canListen { try await run("LISTEN swivel_schedules") } }

    // MARK: Transactions

    func begin(_ jobs: [String], limit: Int) async throws -> [Claim] {
        try await run("BEGIN ISOLATION LEVEL READ COMMITTED")
        return try await run(
            """
            SELECT \(Self.columns) FROM swivel_schedule s
            WHERE due_at <= statement_timestamp() AND job = ANY($1::text[])
            ORDER BY priority DESC, due_at LIMIT \(limit) FOR NO KEY UPDATE SKIP LOCKED
            """, [Self.array(jobs)]
        ).map(Self.claim)
    }

    func beginJob(limit: Duration) async throws {
        let limit = max(limit, self.limit).wholeMilliseconds
        try await run("SAVEPOINT swivel_job; SET LOCAL statement_timeout = \(limit)")
    }

    func endJob(keeping: Bool) async throws {
        do {
            if !keeping { try await run("ROLLBACK TO SAVEPOINT swivel_job") }
            try await run("RELEASE SAVEPOINT swivel_job; \(settings)")
        } catch let error as PostgresError where Self.ofNoTransaction.contains(error.state) {
            throw ScheduleError("the job has broken its transaction: \(error)")
        }
    }

    /// Errors after a job has ended the transaction itself.
    private static let ofNoTransaction = [
        PostgresError.noTransaction, PostgresError.noSavepoint, PostgresError.unsupported,
        PostgresError.failedTransaction,
    ]

    func commit(_ changes: [Change]) async throws {
        do {
            guard try await write(changes).fitting == changes.count else {
                throw ScheduleError("a claim has ended before its transaction: nothing is written")
            }
            // A commit itself has no time limit.
            try await run("SET CONSTRAINTS ALL IMMEDIATE; COMMIT")
        } catch let error as PostgresError where error.isOfJob {
            try await rollback()
            throw ScheduleError("the transaction cannot be committed: \(error)")
        } catch let error as ScheduleError {
            try await rollback()
            throw error
        }
    }

    func rollback() async throws { try await run("ROLLBACK") }

    func beat() async throws {
        do {
            try await run("SELECT")
        } catch let error as PostgresError where error.state == PostgresError.failedTransaction {
            // It has been received, which is all that counts.
        }
    }

    // MARK: Leases

    func lease(
        _ jobs: [String], limit: Int, to holder: String, for lease: Duration
    ) async throws -> [Claim] {
        try await runAlone(
            """
            WITH due AS MATERIALIZED (
                SELECT id FROM swivel_schedule
                WHERE due_at <= statement_timestamp() AND job = ANY($1::text[])
                ORDER BY priority DESC, due_at LIMIT $4::int FOR NO KEY UPDATE SKIP LOCKED
            )
            UPDATE swivel_schedule s SET lease_by = $2,
                lease_until = statement_timestamp() + $3::bigint * interval '1 ms',
                -- The lease of another process has ended.
                retry_at = CASE WHEN lease_by IS NULL THEN retry_at ELSE lease_until END
            FROM due WHERE s.id = due.id RETURNING \(Self.columns)
            """, [Self.array(jobs), holder, "\(lease.wholeMilliseconds)", "\(limit)"]
        ).map(Self.claim)
    }

    func renew(_ leases: [Int64: String], for lease: Duration) async throws -> Set<Int64> {
        // A row that somebody has locked is not waited for, and cannot be claimed either.
        let rows = try await runAlone(
            """
            WITH free AS MATERIALIZED (
                SELECT id FROM swivel_schedule
                WHERE id = ANY($1::bigint[]) AND lease_by = ANY($2::text[])
                FOR NO KEY UPDATE SKIP LOCKED
            ), renewed AS (
                UPDATE swivel_schedule s
                SET lease_until = statement_timestamp() + $3::bigint * interval '1 ms'
                FROM free WHERE s.id = free.id AND s.lease_by = ANY($2::text[])
            )
            SELECT id, lease_by FROM swivel_schedule
            WHERE id = ANY($1::bigint[]) AND lease_by = ANY($2::text[])
            """,
            [
                Self.array(leases.keys.map(String.init)), Self.array(Array(leases.values)),
                "\(lease.wholeMilliseconds)",
            ])
        return Set(
            rows.compactMap { row in
                row[0].flatMap(Int64.init).flatMap { leases[$0] == row[1] ? $0 : nil }
            })
    }

    func apply(_ changes: [Change]) async throws -> Set<Int64> {
        do {
            return try await write(changes).locked
        } catch let error as PostgresError where error.isOfJob {
            // It may wait for a row that refers to the schedule.
            if changes.count == 1, error.isOfLock || error.isOfOtherTransactions {
                return [changes[0].id]
            }
            throw ScheduleError("the end of a tick cannot be written: \(error)")
        }
    }

    private func write(_ changes: [Change]) async throws -> (fitting: Int, locked: Set<Int64>) {
        let text = String(decoding: try JSONEncoder().encode(changes), as: UTF8.self)
        let row = try await runAlone(PostgresSchema.apply, [text]).first
        let locked = row?[1]?.split(separator: ",").compactMap { Int64($0) } ?? []
        return (row?[0].flatMap(Int.init) ?? 0, Set(locked))
    }

    // MARK: Both

    func timeToNext(of jobs: [String]) async throws -> Duration? {
        let rows = try await run(
            """
            SELECT ((extract(epoch FROM min(due_at)) - extract(epoch FROM statement_timestamp()))
                * 1000000)::bigint
            FROM swivel_schedule WHERE due_at < 'infinity' AND job = ANY($1::text[])
            """, [Self.array(jobs)])
        return rows.first?[0].flatMap(Int64.init).map { .microseconds($0) }
    }

    func cancelled(_ ids: [Int64]) async throws -> [Int64: Int64] {
        let rows = try await run(
            "SELECT schedule, number FROM swivel_cancel WHERE schedule = ANY($1::bigint[])",
            [Self.array(ids.map(String.init))])
        let pairs = rows.compactMap { row in
            row[0].flatMap(Int64.init).flatMap { id in row[1].flatMap(Int64.init).map { (id, $0) } }
        }
        return Dictionary(pairs) { max($0, $1) }
    }

    func unknown(_ jobs: [String]) async throws -> [String] {
        try await run(
            """
            SELECT DISTINCT job FROM swivel_schedule
            WHERE due_at <= statement_timestamp() - interval '5 s' AND NOT job = ANY($1::text[])
            """, [Self.array(jobs)]
        ).compactMap { $0[0] }
    }

    func prune(after age: Duration, limit: Int) async throws -> Int {
        // The number decides, not a clock: a schedule never comes back to one below its own.
        do {
            return try await run(
                """
                DELETE FROM swivel_tick WHERE ctid = ANY(ARRAY(
                    SELECT t.ctid FROM swivel_tick t JOIN swivel_schedule s ON s.id = t.schedule
                    WHERE t.state <> 'discarded' AND t.number < s.number
                        AND t.fired_at < statement_timestamp() - $1::bigint * interval '1 ms'
                    LIMIT $2::int)) RETURNING number
                """, ["\(Int64(min(age, .seconds(1e10)) / .milliseconds(1)))", "\(limit)"]
            ).count
        } catch let error as PostgresError where error.state == PostgresError.cancelled {
            return 0  // It took longer than a statement may.
        }
    }

    func query(
        _ sql: String, _ parameters: [String?], limit: Duration
    ) async throws -> [[String?]] {
        try await connection.query(
            sql, parameters, limit: max(limit, self.limit) + .seconds(1), isCancellable: true)
    }

    func close() async { await connection.close() }

    // MARK: Rows

    private static let columns = """
        s.id, coalesce((SELECT name FROM swivel_schedule WHERE id = s.retry_of), s.name),
        s.job, s.number, coalesce(s.retry_of, s.id),
        (extract(epoch FROM s.next_at) * 1000000)::bigint,
        (extract(epoch FROM statement_timestamp()) * 1000000)::bigint,
        s.failures, s.arguments, s.definition, s.retry_at > '-infinity'
        """

    private static func claim(_ row: [String?]) throws -> Claim {
        guard row.count == 11, let id = row[0].flatMap(Int64.init), let schedule = row[1],
            let job = row[2], let number = row[3].flatMap(Int64.init), let origin = row[4],
            let due = row[5].flatMap(Int64.init), let now = row[6].flatMap(Int64.init),
            let failures = row[7].flatMap(Int.init), let arguments = row[8],
            let definition = row[9]
        else { throw ScheduleError("a row of swivel_schedule has an unknown form: \(row)") }
        return Claim(
            id: id, schedule: schedule, job: job, number: number, key: "\(origin)/\(number)",
            due: Date(microseconds: due), now: Date(microseconds: now), failures: failures,
            hasBegun: row[10] == "t", arguments: arguments, definition: definition)
    }

    /// An array, as PostgreSQL writes one.
    private static func array(_ words: [String]) -> String {
        let quoted = words.map { word in
            "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        return "{" + quoted.joined(separator: ",") + "}"
    }
}
#endif
