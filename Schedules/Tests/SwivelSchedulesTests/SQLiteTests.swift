// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import SwivelCore
import Synchronization
import Testing

@testable import SwivelSchedules

/// The same promises in a file, for one process.
@Suite struct SQLiteTests {
    private let path = NSTemporaryDirectory() + "schedules-\(UUID().uuidString).sqlite"
    private let store: ScheduleStore

    init() async throws {
        store = .sqlite(path)
        try await store.migrate()
        try await store.migrate()
        _ = try await sql("CREATE TABLE effect (key TEXT, attempt INTEGER)")
    }

    @discardableResult
    private func sql(_ text: String) async throws -> [[String?]] {
        try await store.administer { try await $0.query(text, [], limit: .seconds(5)) }
    }

    private func wait(
        for text: String, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<500 {
            if try await !sql(text).isEmpty { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("this has not come to pass: \(text)", sourceLocation: location)
    }

    private func runner() -> ScheduleRunner {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var runner = ScheduleRunner(store, logger: logger)
        runner.settings.grace = .milliseconds(200)
        runner.exactlyOnce("effect", batch: 3) { tick, transaction in
            try await transaction.query(
                "INSERT INTO effect VALUES (?, ?)", [tick.idempotencyKey, "\(tick.attempt)"])
        }
        return runner
    }

    @Test func ticksFireOnceEach() async throws {
        var schedules = (0..<5).map {
            Schedule("often \($0)", job: "effect", .every(.milliseconds(20), startingAt: .now))
        }
        for index in schedules.indices { schedules[index].missed = .all }
        try await store.set(schedules + [Schedule("mail", job: "mail", .once(at: .now))])
        let mails = Mutex(0)
        var runner = runner()
        runner.atLeastOnce("mail") { _ in mails.withLock { $0 += 1 } }
        try await running(runner) {
            try await wait(
                for: "SELECT 1 FROM swivel_schedule GROUP BY 1 HAVING sum(number) >= 150")
        }
        let count = try await sql("SELECT sum(number) FROM swivel_schedule WHERE job = 'effect'")
        #expect(try await sql("SELECT count(*) FROM effect") == count)
        #expect(try await sql("SELECT count(DISTINCT key) FROM effect") == count)
        #expect(mails.withLock { $0 } == 1)
        #expect(try await sql("SELECT count(*) FROM swivel_tick WHERE fired_at < due") == [["0"]])
    }

    @Test func aFailingJobIsDiscardedAndTriedAgain() async throws {
        var failing = Schedule("failing", job: "fails", .every(.seconds(3_600), startingAt: .now))
        failing.attempts = 3
        failing.backoff = .constant(.milliseconds(10))
        try await store.set(failing)
        let isRepaired = Mutex(false)
        var runner = runner()
        runner.exactlyOnce("fails") { tick, transaction in
            try await transaction.query(
                "INSERT INTO effect VALUES (?, 0)", [tick.idempotencyKey])
            if !isRepaired.withLock({ $0 }) { try await transaction.query("SELECT nonsense") }
        }
        try await running(runner) {
            try await wait(for: "SELECT 1 FROM swivel_tick WHERE state = 'discarded'")
            #expect(try await sql("SELECT count(*) FROM effect") == [["0"]])
            #expect(try await store.discarded().map(\.attempts) == [3])
            isRepaired.withLock { $0 = true }
            try await store.retry("failing", tick: 0)
            try await wait(for: "SELECT 1 FROM swivel_tick WHERE state = 'done'")
        }
        #expect(try await sql("SELECT count(*) FROM effect") == [["1"]])
        #expect(try await store.list().map(\.name) == ["failing"])
    }

    @Test func administratorsAreHeard() async throws {
        try await store.set(
            Schedule("a", job: "effect", .every(.seconds(86_400))),
            Schedule("b", job: "long", .every(.seconds(86_400), startingAt: .now)))
        let hasStarted = Mutex(false)
        var runner = runner()
        runner.atLeastOnce("long") { _ in
            hasStarted.withLock { $0 = true }
            try await Task.sleep(for: .seconds(60))
        }
        try await running(runner) {
            try await store.run("a")
            try await wait(for: "SELECT 1 FROM effect")
            while !hasStarted.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await store.list().map(\.state) == [.waiting, .running])
            try await store.cancel("b")
            try await wait(for: "SELECT 1 FROM swivel_tick WHERE state = 'cancelled'")
            try await store.pause("a")
            try await store.run("a")
            try await Task.sleep(for: .milliseconds(1_200))
            #expect(try await sql("SELECT count(*) FROM effect") == [["1"]])
            try await store.resume("a")
            try await wait(for: "SELECT 1 FROM effect LIMIT 1 OFFSET 1")
        }
        await #expect(throws: ScheduleError.self) { try await store.pause("missing") }
        try await store.remove("a")
        var off = Schedule("b", job: "long", .every(.seconds(86_400)))
        off.isEnabled = false
        try await store.set(off)
        #expect(try await store.list().map(\.name) == ["b"])
        #expect(try await store.list().map(\.state) == [.paused])
    }

    @Test func aJobThatEndsItsTransactionFailsAlone() async throws {
        var rude = Schedule("rude", job: "rude", .once(at: .now))
        rude.attempts = 2
        rude.backoff = .constant(.milliseconds(10))
        try await store.set(rude, Schedule("good", job: "effect", .once(at: .now)))
        var runner = runner()
        runner.exactlyOnce("rude") { _, transaction in try await transaction.query("COMMIT") }
        try await running(runner) {
            try await wait(for: "SELECT 1 FROM swivel_tick WHERE state = 'discarded'")
            try await wait(for: "SELECT 1 FROM effect")
        }
    }

    @Test func aStatementThatFailsUnnoticedFailsTheTick() async throws {
        var careless = Schedule("careless", job: "careless", .once(at: .now))
        careless.attempts = 1
        try await store.set(careless)
        var runner = runner()
        runner.exactlyOnce("careless") { _, transaction in
            try await transaction.query("INSERT INTO effect VALUES ('x', 1)")
            _ = try? await transaction.query("INSERT INTO nowhere VALUES (1)")
        }
        try await running(runner) {
            try await wait(for: "SELECT 1 FROM swivel_tick WHERE state = 'discarded'")
        }
        #expect(try await sql("SELECT count(*) FROM effect") == [["0"]])
    }

    @Test func aFileWithoutTablesIsReported() async throws {
        let empty = ScheduleStore.sqlite(path + ".empty")
        await #expect(throws: ScheduleError.self) { try await empty.list() }
    }
}

extension ScheduleStore {
    fileprivate func administer<R: Sendable>(
        _ body: @Sendable (SQLiteSession) async throws -> R
    ) async throws -> R {
        guard let store = store as? SQLiteStore else { throw Broken() }
        return try await body(try store.open())
    }
}
