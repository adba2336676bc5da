// SPDX-License-Identifier: Apache-2.0
#if SQLite
internal import Foundation
internal import GRDB
internal import SwivelCore

/// A connection to the file, with the statements of schedules.
final class SQLiteSession: StoreSession {
    let queue: DatabaseQueue
    let store: SQLiteStore
    /// Claims of the present transaction.
    private let claims = Lock<[Claim]>([])

    init(_ queue: DatabaseQueue, of store: SQLiteStore) {
        (self.queue, self.store) = (queue, store)
    }

    let canListen = false
    func listen() async throws {}

    func run<R: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> R
    ) async throws -> R {
        try await queue.writeWithoutTransaction(body)
    }

    func checkVersion() async throws {
        try await run { database in
            let migrator = SQLiteSchema.migrator
            if try migrator.hasBeenSuperseded(database) {
                throw ScheduleError(
                    "a newer program has changed the file's tables: update this one")
            }
            guard try migrator.hasCompletedMigrations(database) else {
                throw ScheduleError("the file lacks the tables of schedules: call migrate()")
            }
        }
    }

    func migrate() async throws { try SQLiteSchema.migrator.migrate(queue) }

    // MARK: Claims

    func due(_ jobs: [String], _ limit: Int) async throws -> [Claim] {
        let working = store.working.count
        let ids = store.claim(try await due(jobs, limit + working, nil).map(\.id), limit: limit)
        if ids.isEmpty { return [] }
        // A row may have changed before it was claimed, and does not change any more.
        let claims = try await due(jobs, limit, ids)
        store.release(Set(ids).subtracting(claims.map(\.id)))
        return claims
    }

    private func due(_ jobs: [String], _ limit: Int, _ ids: [Int64]?) async throws -> [Claim] {
        try await run { database in
            let now = Date()
            let ofIDs = ids.map { "AND s.id IN (\(databaseQuestionMarks(count: $0.count)))" } ?? ""
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT s.*, o.name AS origin FROM swivel_schedule s
                    LEFT JOIN swivel_schedule o ON o.id = s.retry_of
                    WHERE s.due_at <= ? AND s.job IN (\(databaseQuestionMarks(count: jobs.count)))
                    \(ofIDs) ORDER BY s.priority DESC, s.due_at LIMIT ?
                    """,
                arguments: [now.microseconds] + StatementArguments(jobs)
                    + StatementArguments(ids ?? []) + [limit]
            ).map { Self.claim($0, now) }
        }
    }

    private static func claim(_ row: Row, _ now: Date) -> Claim {
        let (id, number): (Int64, Int64) = (row["id"], row["number"])
        let origin: Int64? = row["retry_of"]
        let name: String? = row["origin"]
        return Claim(
            id: id, schedule: name ?? row["name"], job: row["job"], number: number,
            key: "\(origin ?? id)/\(number)", due: Date(microseconds: row["next_at"]), now: now,
            failures: row["failures"], hasBegun: row["retry_at"] > 0, arguments: row["arguments"],
            definition: row["definition"])
    }

    func begin(_ jobs: [String], limit: Int) async throws -> [Claim] {
        let claims = try await due(jobs, limit)
        self.claims.withLock { $0 = claims }
        return claims
    }

    /// The file has one writer at a time, so the transaction begins when a job writes.
    func beginJob(limit: Duration) async throws {
        try await run { database in
            if !database.isInsideTransaction { try database.execute(sql: "BEGIN IMMEDIATE") }
            try database.execute(sql: "SAVEPOINT swivel_job")
        }
    }

    func endJob(keeping: Bool) async throws {
        do {
            try await run { database in
                if !keeping { try database.execute(sql: "ROLLBACK TO swivel_job") }
                try database.execute(sql: "RELEASE swivel_job")
            }
        } catch {
            throw ScheduleError("the job has broken its transaction: \(error)")
        }
    }

    func commit(_ changes: [Change]) async throws {
        do {
            try await run { database in
                if !database.isInsideTransaction { try database.execute(sql: "BEGIN IMMEDIATE") }
                guard try Self.write(changes, database) == changes.count else {
                    throw ScheduleError("a claim has ended before its transaction")
                }
                try database.execute(sql: "COMMIT")
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            try await rollback()
            throw ScheduleError("the transaction cannot be committed: \(error)")
        } catch let error as ScheduleError {
            try await rollback()
            throw error
        }
        release()
    }

    func rollback() async throws {
        try await run { database in
            if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
        }
        release()
    }

    private func release() {
        store.release(
            claims.withLock { claims in
                defer { claims = [] }
                return claims.map(\.id)
            })
    }

    func beat() async throws {}

    func close() async {
        try? queue.close()
        release()
    }

    // MARK: Leases

    func lease(
        _ jobs: [String], limit: Int, to holder: String, for lease: Duration
    ) async throws -> [Claim] { try await due(jobs, limit) }

    /// A process loses its claims only with its life.
    func renew(_ leases: [Int64: String], for lease: Duration) async throws -> Set<Int64> {
        Set(leases.keys)
    }

    func apply(_ changes: [Change]) async throws -> Set<Int64> {
        do {
            try await run { database in
                try database.inTransaction(.immediate) {
                    _ = try Self.write(changes, database)
                    return .commit
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw ScheduleError("the end of a tick cannot be written: \(error)")
        }
        store.release(changes.map(\.id))
        return []
    }

    // MARK: Both

    func timeToNext(of jobs: [String]) async throws -> Duration? {
        let working = Array(store.working)
        let next = try await run { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT min(due_at) FROM swivel_schedule
                    WHERE job IN (\(databaseQuestionMarks(count: jobs.count)))
                        AND id NOT IN (\(databaseQuestionMarks(count: working.count)))
                    """, arguments: StatementArguments(jobs) + StatementArguments(working))
        }
        return next.map { .microseconds($0 - Date().microseconds) }
    }

    func cancelled(_ ids: [Int64]) async throws -> [Int64: Int64] {
        let rows = try await run { database in
            try Row.fetchAll(database, sql: "SELECT schedule, number FROM swivel_cancel")
                .map { (id: $0["schedule"] as Int64, number: $0["number"] as Int64) }
        }
        return Dictionary(rows.map { ($0.id, $0.number) }) { $1 }
    }

    func unknown(_ jobs: [String]) async throws -> [String] {
        try await run { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT job FROM swivel_schedule
                    WHERE due_at <= ? AND job NOT IN (\(databaseQuestionMarks(count: jobs.count)))
                    """,
                arguments: [Date().microseconds - 5_000_000] + StatementArguments(jobs))
        }
    }

    func prune(after age: Duration, limit: Int) async throws -> Int {
        let latest = Date().microseconds - Int64(min(age, .seconds(1e10)) / .microseconds(1))
        return try await run { database in
            try database.execute(
                sql: """
                    DELETE FROM swivel_tick WHERE (schedule, number) IN (
                        SELECT t.schedule, t.number FROM swivel_tick t
                        JOIN swivel_schedule s ON s.id = t.schedule
                        WHERE t.state <> 'discarded' AND t.fired_at < ? AND t.number < s.number
                        LIMIT ?)
                    """, arguments: [latest, limit])
            return database.changesCount
        }
    }

    func query(
        _ sql: String, _ parameters: [String?], limit: Duration
    ) async throws -> [[String?]] {
        try await run { database in
            let statement = try database.makeStatement(sql: sql)
            let arguments = StatementArguments(parameters)
            return try Row.fetchAll(statement, arguments: arguments).map { row in
                row.databaseValues.map { String.fromDatabaseValue($0) ?? text($0) }
            }
        }
    }
}

/// A value that is not a text.
private func text(_ value: DatabaseValue) -> String? {
    switch value.storage {
    case .null: nil
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let string): string
    case .blob(let data): data.base64EncodedString()
    }
}
#endif
