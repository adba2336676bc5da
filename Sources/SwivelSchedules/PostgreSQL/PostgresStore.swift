// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL
internal import SwivelCore

/// Schedules in PostgreSQL.
struct PostgresStore: Store {
    /// libpq's connection string.
    let address: String
    /// Whether the address is a pooler's, which gives each transaction another connection.
    let isPooled: Bool
    let limits: StoreLimits

    var hasTransactions: Bool { !isPooled }
    func abandon(_ ids: [Int64]) {}

    func connect(
        lease: Duration, on loop: Loop, wake: @escaping @Sendable () -> Void
    ) async throws -> any StoreSession {
        try await withTimeout(limits.connect, on: loop) {
            let session = try await open(on: loop, lease: lease, wake: wake)
            try await session.checkVersion()
            if !isPooled { try await session.run(session.settings) }
            return session
        }
    }

    func open(
        on loop: Loop, lease: Duration = .seconds(30), wake: @escaping @Sendable () -> Void = {}
    ) async throws -> PostgresSession {
        let connection = try await PostgresConnection.open(address, on: loop, wake: wake)
        return PostgresSession(
            connection, canListen: !isPooled, limit: limits.statement, lease: lease)
    }
}
#endif
