// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import SwivelCore
import Testing

@testable import SwivelSchedules

/// A database of its own, on the server that `with-database` has started.
struct TestDatabase {
    let store: ScheduleStore
    let address: String

    /// - Parameter isPooled: Whether its address is that of PgBouncer.
    static func make(isPooled: Bool = false, migrated: Bool = true) async throws -> TestDatabase {
        let name = "test_\(UUID().uuidString.prefix(8).lowercased())"
        try await sql("CREATE DATABASE \(name)", at: "")
        let address = "dbname=\(name)"
        let pooler = ProcessInfo.processInfo.environment["POOLER"] ?? ""
        let database = TestDatabase(
            store: .postgreSQL(
                isPooled ? "\(address) \(pooler)" : address, isPooled: isPooled),
            address: address)
        if migrated { try await database.store.migrate() }
        return database
    }

    @discardableResult
    func sql(_ text: String) async throws -> [[String?]] {
        try await Self.sql(text, at: "\(address) options='-c default_transaction_read_only=off'")
    }

    @discardableResult
    private static func sql(_ text: String, at address: String) async throws -> [[String?]] {
        let store = PostgresStore(address: address, isPooled: false, limits: StoreLimits())
        let session = try await store.open(on: .shared)
        let rows = try await session.query(text, [], limit: .seconds(30))
        await session.close()
        return rows
    }

    func number(_ text: String) async throws -> Int {
        Int(try await sql(text).first?.first?.flatMap { $0 } ?? "") ?? -1
    }

    /// Waits until a statement returns at least one row.
    func wait(for text: String, _ location: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<1_000 {
            if try await !sql(text).isEmpty { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("this has not come to pass: \(text)", sourceLocation: location)
    }

    /// A runner that is quick to notice things.
    func runner() -> ScheduleRunner {
        var logger = Logger(label: "test")
        logger.logLevel = ProcessInfo.processInfo.environment["LOG"] == nil ? .critical : .debug
        var runner = ScheduleRunner(store, logger: logger)
        runner.lease = .milliseconds(600)
        runner.settings.grace = .milliseconds(200)
        runner.settings.reconnect = .exponential(
            base: .milliseconds(20), limit: .milliseconds(200))
        runner.drainLimit = .seconds(2)
        return runner
    }
}

/// Runs `body` while a runner runs.
func running<R>(_ runner: ScheduleRunner, _ body: () async throws -> R) async throws -> R {
    let task = Task { try await runner.run() }
    do {
        let result = try await body()
        task.cancel()
        try await task.value
        return result
    } catch {
        task.cancel()
        try? await task.value
        throw error
    }
}

struct Broken: Error {}
