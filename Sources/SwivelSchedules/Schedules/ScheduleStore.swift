// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
public import SwivelCore

/// How long a process waits for its database.
struct StoreLimits: Sendable {
    /// For a connection. libpq's own limit does not apply to its asynchronous connects.
    var connect = Duration.seconds(5)
    /// For a statement.
    var statement = Duration.seconds(5)
}

/// The database that holds schedules, for those who add, change and watch them. A
/// ``ScheduleRunner`` runs them.
///
/// **Thread:** any task. Each call makes a connection of its own.
public struct ScheduleStore: Sendable {
    package let store: any Store
    private let loop: Loop

    package init(_ store: any Store, on loop: Loop) {
        self.store = store
        self.loop = loop
    }

    #if PostgreSQL
    /// Returns a store in PostgreSQL 12 or newer.
    ///
    /// - Parameters:
    ///   - address: libpq's connection string, such as `host=db dbname=app user=app` or
    ///     `postgresql://app@db/app?sslmode=verify-full`. `PGHOST` and its like give the rest.
    ///   - isPooled: Whether the address is that of a pooler that gives each transaction another
    ///     connection, as PgBouncer does. Then ``ScheduleRunner`` runs jobs at least once only, and
    ///     looks for changes each second.
    ///   - connectLimit: How long a connection may take. The host's name is looked up by the
    ///     system, whose time this does not limit.
    ///   - statementLimit: How long a statement may take. Those of a job may take as long as the
    ///     job.
    ///   - loop: The loop that watches the sockets.
    /// - Complexity: O(1). It does not connect.
    public static func postgreSQL(
        _ address: String = "", isPooled: Bool = false, connectLimit: Duration = .seconds(5),
        statementLimit: Duration = .seconds(5), on loop: Loop = .shared
    ) -> ScheduleStore {
        let limits = StoreLimits(connect: connectLimit, statement: statementLimit)
        return ScheduleStore(
            PostgresStore(address: address, isPooled: isPooled, limits: limits), on: loop)
    }

    /// The statements that create and change the tables in PostgreSQL, one text for each version.
    public static var postgreSQLMigrations: [String] { PostgresSchema.migrations }
    #endif

    #if SQLite
    /// Returns a store in the SQLite file at `path`, for one process; SQLite 3.38 or newer. It has
    /// the promises of the other kind, and the process's clock.
    ///
    /// The file has one writer at a time. An exactly-once job is that writer from its first
    /// statement on until it returns: it should be short.
    ///
    /// - Parameters:
    ///   - path: The file, which is created if it is missing.
    ///   - statementLimit: How long a statement waits for another writer.
    ///   - loop: The loop that keeps the time of administrators' calls.
    /// - Complexity: O(1). It does not open the file.
    public static func sqlite(
        _ path: String, statementLimit: Duration = .seconds(5), on loop: Loop = .shared
    ) -> ScheduleStore {
        ScheduleStore(
            SQLiteStore(path: path, limits: StoreLimits(statement: statementLimit)), on: loop)
    }
    #endif

    /// Creates the tables, or changes those of an older version. Safe to call at each start and by
    /// several processes.
    ///
    /// - Throws: ``ScheduleError``, or the database's error.
    /// - Complexity: O(1) if nothing is missing.
    public func migrate() async throws { try await store.migrate(on: loop) }

    /// Adds `schedules`, or changes those that exist under their names. The next tick of one that
    /// exists stays if its recurrence does, and so does what ``pause(_:)`` has done. Safe to call
    /// at each start and by several processes.
    ///
    /// - Throws: ``ScheduleError``, or the database's error.
    /// - Complexity: O(n).
    public func set(_ schedules: Schedule...) async throws { try await set(schedules) }

    /// Adds or changes `schedules`; see ``set(_:)-(Schedule...)``.
    ///
    /// - Throws: ``ScheduleError``, or the database's error.
    /// - Complexity: O(n).
    public func set(_ schedules: [Schedule]) async throws {
        try await store.administer(on: loop) { store in
            let now = try await store.now()
            for schedule in schedules {
                guard schedule.attempts > 0 else {
                    throw ScheduleError("'\(schedule.name)' needs at least one attempt")
                }
                let row = ScheduleRow(
                    name: schedule.name, job: schedule.job,
                    definition: try schedule.definition(), arguments: schedule.arguments,
                    priority: schedule.priority, isEnabled: schedule.isEnabled)
                try await store.set(row, first: schedule.recurrence.first(from: now))
            }
        }
    }

    /// Removes the schedule called `name` and the notes of its ticks.
    ///
    /// - Throws: ``ScheduleError`` if there is none, or the database's error.
    /// - Complexity: O(n) in its ticks.
    public func remove(_ name: String) async throws {
        try await change(name) { try await $0.remove(name) }
    }

    /// Lets the schedule called `name` fire no more ticks. One that runs is not cancelled.
    ///
    /// - Throws: ``ScheduleError`` if there is none, or the database's error.
    /// - Complexity: O(1).
    public func pause(_ name: String) async throws {
        try await change(name) { try await $0.setEnabled(false, name) }
    }

    /// Lets the schedule called `name` fire again. Ticks of the meantime are missed.
    ///
    /// - Throws: ``ScheduleError`` if there is none, or the database's error.
    /// - Complexity: O(1).
    public func resume(_ name: String) async throws {
        try await change(name) { try await $0.setEnabled(true, name) }
    }

    /// Makes the next tick of the schedule called `name` due now. Those of an interval then follow
    /// from now on.
    ///
    /// - Throws: ``ScheduleError`` if there is none, or the database's error.
    /// - Complexity: O(1).
    public func run(_ name: String) async throws {
        try await change(name) { try await $0.makeDue(name) }
    }

    /// Asks the process that works on a tick of the schedule called `name` to cancel its job. If
    /// the job then throws, the tick is over, and the schedule continues with the next one.
    ///
    /// - Throws: ``ScheduleError`` if no process works on one, or the database's error.
    /// - Complexity: O(1).
    public func cancel(_ name: String) async throws {
        try await change(name, "running tick") { try await $0.cancel(name) }
    }

    /// Has the discarded `tick` of the schedule called `name` tried again, with the number of
    /// attempts that the schedule gives, beside its other ticks.
    ///
    /// - Throws: ``ScheduleError`` if there is none, or the database's error.
    /// - Complexity: O(1).
    public func retry(_ name: String, tick: Int64) async throws {
        var once = Schedule(name, job: "", .once(at: .distantPast))
        once.missed = .latest
        let definition = try once.definition()
        try await change(name, "discarded tick \(tick)") {
            try await $0.retry(name, tick: tick, as: definition)
        }
    }

    /// Returns all schedules, by name.
    ///
    /// - Throws: ``ScheduleError``, or the database's error.
    /// - Complexity: O(n).
    public func list() async throws -> [ScheduleStatus] {
        try await store.administer(on: loop) { try await $0.list() }
    }

    /// Returns the ticks that were discarded last, `limit` at most.
    ///
    /// - Throws: ``ScheduleError``, or the database's error.
    /// - Complexity: O(n) in the limit.
    public func discarded(limit: Int = 100) async throws -> [DiscardedTick] {
        try await store.administer(on: loop) { try await $0.discarded(limit: limit) }
    }

    private func change(
        _ name: String, _ missing: String = "schedule",
        _ body: @Sendable (any StoreAdministration) async throws -> Bool
    ) async throws {
        guard try await store.administer(on: loop, body) else {
            throw ScheduleError("there is no \(missing) of the name '\(name)'")
        }
    }
}
#endif
