// SPDX-License-Identifier: Apache-2.0
#if SQLite
internal import Foundation
internal import GRDB
internal import SwivelCore

/// Schedules of one process, in a file of SQLite. Claims are in memory, because they end with the
/// process, as it does not have to tell another one.
final class SQLiteStore: Store {
    let path: String
    let limits: StoreLimits
    /// The schedules whose ticks this process works on.
    private let claimed = Lock<Set<Int64>>([])

    init(path: String, limits: StoreLimits) {
        self.path = path
        self.limits = limits
    }

    var hasTransactions: Bool { true }

    func connect(
        lease: Duration, on loop: Loop, wake: @escaping @Sendable () -> Void
    ) async throws -> any StoreSession {
        let session = try open()
        try await session.checkVersion()
        return session
    }

    /// A connection of its own, because a transaction is a connection's.
    func open() throws -> SQLiteSession {
        var configuration = Configuration()
        configuration.label = "swivel-schedules"
        configuration.busyMode = .timeout(limits.statement / .seconds(1))
        // A job's transaction lasts from statement to statement.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        return SQLiteSession(
            try DatabaseQueue(path: path, configuration: configuration), of: self)
    }

    func migrate(on loop: Loop) async throws { try await open().migrate() }

    func administer<R: Sendable>(
        on loop: Loop, _ body: @Sendable (any StoreAdministration) async throws -> R
    ) async throws -> R {
        let session = try open()
        try await session.checkVersion()
        return try await body(session)
    }

    /// Claims those schedules that no session works on, as many as are wanted.
    func claim(_ ids: [Int64], limit: Int) -> [Int64] {
        claimed.withLock { claimed in
            let free = Array(ids.filter { !claimed.contains($0) }.prefix(limit))
            claimed.formUnion(free)
            return free
        }
    }

    func abandon(_ ids: [Int64]) { release(ids) }

    func release(_ ids: some Sequence<Int64>) {
        claimed.withLock { claimed in claimed.subtract(ids) }
    }

    var working: Set<Int64> { claimed.withLock { $0 } }
}

enum SQLiteSchema {
    /// The versions, each of which is applied once.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("swivel schedules 1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE swivel_schedule (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        name TEXT NOT NULL UNIQUE,
                        job TEXT NOT NULL,
                        definition TEXT NOT NULL,
                        arguments TEXT NOT NULL,
                        priority INTEGER NOT NULL DEFAULT 0,
                        enabled INTEGER NOT NULL DEFAULT 1,
                        -- Instants are microseconds since 1970. NULL: there are no more ticks.
                        next_at INTEGER,
                        then_at INTEGER,
                        number INTEGER NOT NULL DEFAULT 0,
                        failures INTEGER NOT NULL DEFAULT 0,
                        retry_at INTEGER NOT NULL DEFAULT 0,
                        error TEXT,
                        retry_of INTEGER REFERENCES swivel_schedule ON DELETE CASCADE,
                        due_at INTEGER GENERATED ALWAYS AS (
                            CASE WHEN enabled THEN max(next_at, retry_at) END) STORED
                    );
                    CREATE INDEX swivel_schedule_due ON swivel_schedule (due_at);
                    CREATE INDEX swivel_schedule_order ON swivel_schedule (priority DESC, due_at);
                    CREATE TABLE swivel_tick (
                        schedule INTEGER NOT NULL REFERENCES swivel_schedule ON DELETE CASCADE,
                        number INTEGER NOT NULL,
                        due INTEGER NOT NULL,
                        fired_at INTEGER NOT NULL,
                        state TEXT NOT NULL,
                        attempts INTEGER NOT NULL,
                        error TEXT,
                        PRIMARY KEY (schedule, number)
                    ) WITHOUT ROWID;
                    CREATE INDEX swivel_tick_discarded ON swivel_tick (fired_at)
                        WHERE state = 'discarded';
                    CREATE TABLE swivel_cancel (
                        schedule INTEGER PRIMARY KEY REFERENCES swivel_schedule ON DELETE CASCADE,
                        number INTEGER NOT NULL
                    );
                    """)
        }
        return migrator
    }
}
#endif
