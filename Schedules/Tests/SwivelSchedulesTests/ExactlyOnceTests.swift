// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import Synchronization
import Testing

@testable import SwivelSchedules

@Suite struct ExactlyOnceTests {
    /// A database with a table for effects.
    private func make() async throws -> TestDatabase {
        let database = try await TestDatabase.make()
        try await database.sql("CREATE TABLE effect (key text, attempt int)")
        return database
    }

    private static let addEffect = "INSERT INTO effect VALUES ($1, $2::int)"

    private func effects(_ runner: inout ScheduleRunner, batch: Int = 1) {
        runner.exactlyOnce("effect", batch: batch) { tick, transaction in
            try await transaction.query(Self.addEffect, [tick.idempotencyKey, "\(tick.attempt)"])
        }
    }

    @Test(arguments: [1, 10]) func ticksOfAnIntervalFireOnceEach(batch: Int) async throws {
        let database = try await make()
        var schedule = Schedule("often", job: "effect", .every(.milliseconds(20), startingAt: .now))
        schedule.missed = .all
        try await database.store.set(schedule)
        var runner = database.runner()
        effects(&runner, batch: batch)
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_schedule WHERE number >= 30")
        }
        let ticks = try await database.number(
            "SELECT count(*) FROM swivel_tick WHERE state = 'done'")
        #expect(try await database.number("SELECT number FROM swivel_schedule") == ticks)
        #expect(try await database.number("SELECT count(DISTINCT key) FROM effect") == ticks)
        #expect(try await database.number("SELECT count(*) FROM effect") == ticks)
        #expect(
            try await database.number("SELECT count(*) FROM swivel_tick WHERE fired_at < due") == 0)
        // The instants are those of the grid.
        let off = """
            SELECT count(*) FROM swivel_tick, (SELECT min(due) AS first FROM swivel_tick) AS f
            WHERE due <> first + number * interval '20 ms'
            """
        #expect(try await database.number(off) == 0)
    }

    @Test func twoRunnersShareTheTicks() async throws {
        let database = try await make()
        try await database.store.set(
            (0..<200).map { Schedule("one \($0)", job: "effect", .once(at: .now)) })
        var runner = database.runner()
        effects(&runner)
        let other = runner
        try await running(runner) {
            try await running(other) {
                try await database.wait(
                    for: "SELECT count(*) FROM swivel_tick HAVING count(*) = 200")
            }
        }
        #expect(try await database.number("SELECT count(*) FROM effect") == 200)
        #expect(try await database.number("SELECT count(DISTINCT key) FROM effect") == 200)
    }

    @Test func aJobThatFailsLeavesNothingAndIsTriedAgain() async throws {
        let database = try await make()
        var schedule = Schedule("failing", job: "twice", .once(at: .now))
        schedule.backoff = .constant(.milliseconds(10))
        try await database.store.set(schedule)
        var runner = database.runner()
        runner.exactlyOnce("twice") { tick, transaction in
            try await transaction.query(Self.addEffect, [tick.idempotencyKey, "\(tick.attempt)"])
            if tick.attempt < 3 { throw Broken() }
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
        #expect(try await database.sql("SELECT attempt FROM effect") == [["3"]])
        #expect(try await database.sql("SELECT attempts FROM swivel_tick") == [["3"]])
    }

    @Test func aJobThatAlwaysFailsIsDiscardedAndDelaysNoOther() async throws {
        let database = try await make()
        var failing = Schedule("failing", job: "fails", .every(.seconds(3600), startingAt: .now))
        failing.backoff = .constant(.milliseconds(100))
        failing.attempts = 4
        failing.priority = 10
        var good = Schedule("good", job: "effect", .every(.milliseconds(10), startingAt: .now))
        good.missed = .all
        try await database.store.set(failing, good)
        var runner = database.runner()
        runner.connections = 1
        effects(&runner)
        runner.exactlyOnce("fails") { _, transaction in
            try await transaction.query("SELECT 1 / 0")
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'discarded'")
            try await database.wait(for: "SELECT FROM effect HAVING count(*) >= 20")
        }
        let row = try await database.sql(
            "SELECT attempts, error FROM swivel_tick WHERE state = 'discarded'")
        #expect(row[0][0] == "4")
        #expect(row[0][1]?.contains("division by zero") == true)
        // The other one fired in the waits between the attempts.
        let inBetween = try await database.number(
            """
            SELECT count(*) FROM swivel_tick good, swivel_tick failing
            WHERE good.state = 'done' AND failing.state = 'discarded'
            AND good.fired_at < failing.fired_at
            """)
        #expect(inBetween > 0)
        #expect(
            try await database.sql(
                "SELECT number, failures FROM swivel_schedule WHERE name = 'failing'")
                == [["1", "0"]])
        #expect(try await database.store.discarded().map(\.schedule) == ["failing"])

        // It can be tried again, with its own key, and its schedule stays as it is.
        var repaired = database.runner()
        repaired.exactlyOnce("fails") { tick, transaction in
            #expect(tick.schedule == "failing")
            #expect(tick.number == 0)
            try await transaction.query(Self.addEffect, [tick.idempotencyKey, "99"])
        }
        try await database.store.retry("failing", tick: 0)
        try await running(repaired) {
            try await database.wait(for: "SELECT FROM effect WHERE attempt = 99")
            try await database.wait(
                for: "SELECT count(*) FROM swivel_schedule HAVING count(*) = 2")
        }
        #expect(try await database.store.discarded().isEmpty)
        await #expect(throws: ScheduleError.self) {
            try await database.store.retry("failing", tick: 0)
        }
    }

    @Test func aStatementThatFailsUnnoticedFailsTheTick() async throws {
        let database = try await make()
        var schedule = Schedule("careless", job: "careless", .once(at: .now))
        schedule.attempts = 1
        try await database.store.set(schedule)
        var runner = database.runner()
        runner.exactlyOnce("careless") { tick, transaction in
            try await transaction.query(Self.addEffect, [tick.idempotencyKey, "1"])
            _ = try? await transaction.query("SELECT 1 / 0")
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'discarded'")
        }
        #expect(try await database.number("SELECT count(*) FROM effect") == 0)
    }

    @Test(arguments: ["COMMIT", "ROLLBACK", "COMMIT; BEGIN", "COPY effect FROM STDIN"])
    func aJobThatEndsItsTransactionFailsAlone(_ statement: String) async throws {
        let database = try await make()
        var schedule = Schedule("rude", job: "rude", .once(at: .now))
        schedule.attempts = 2
        schedule.backoff = .constant(.milliseconds(10))
        try await database.store.set(
            schedule, Schedule("good", job: "effect", .once(at: .now + 0.3)))
        var runner = database.runner()
        runner.connections = 1
        effects(&runner)
        runner.exactlyOnce("rude") { _, transaction in
            try await transaction.query(statement)
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'discarded'")
            try await database.wait(for: "SELECT FROM effect")
        }
    }

    @Test func aJobIsCancelledAtItsLimit() async throws {
        let database = try await make()
        var schedule = Schedule("slow", job: "slow", .once(at: .now))
        schedule.timeLimit = .milliseconds(100)
        schedule.attempts = 1
        var statement = Schedule("slow statement", job: "statement", .once(at: .now))
        statement.timeLimit = .milliseconds(100)
        statement.attempts = 1
        var hidden = Schedule("hidden", job: "hidden", .once(at: .now))
        hidden.timeLimit = .milliseconds(100)
        hidden.attempts = 1
        try await database.store.set(schedule, statement, hidden)
        var runner = database.runner()
        runner.exactlyOnce("slow") { _, _ in try await Task.sleep(for: .seconds(60)) }
        runner.exactlyOnce("statement") { _, transaction in
            try await transaction.query("SELECT pg_sleep(60)")
        }
        runner.exactlyOnce("hidden") { tick, transaction in
            try await transaction.query(Self.addEffect, [tick.idempotencyKey, "1"])
            try? await Task.sleep(for: .seconds(60))
        }
        try await running(runner) {
            try await database.wait(
                for:
                    "SELECT count(*) FROM swivel_tick WHERE state = 'discarded' HAVING count(*) = 3"
            )
        }
        let errors = try await database.sql("SELECT DISTINCT error FROM swivel_tick")
        #expect(errors.allSatisfy { $0[0]?.contains("time limit") == true })
        #expect(try await database.number("SELECT count(*) FROM effect") == 0)
    }

    @Test func aJobThatIgnoresItsCancelFailsAndKeepsItsPlace() async throws {
        let database = try await make()
        var stubborn = Schedule("stubborn", job: "stubborn", .once(at: .now))
        stubborn.timeLimit = .milliseconds(50)
        stubborn.attempts = 1
        try await database.store.set(stubborn)
        let gate = AsyncStream.makeStream(of: Void.self)
        let started = Mutex(0)
        var runner = database.runner()
        runner.connections = 1
        effects(&runner)
        runner.exactlyOnce("stubborn") { _, transaction in
            started.withLock { $0 += 1 }
            await Task.detached { for await _ in gate.stream {} }.value
            await #expect(throws: (any Error).self) { try await transaction.query("SELECT") }
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'discarded'")
            try await database.store.set(Schedule("later", job: "effect", .once(at: .now)))
            try await Task.sleep(for: .milliseconds(300))
            #expect(
                try await database.number("SELECT count(*) FROM effect") == 0, "no place is free")
            gate.continuation.finish()
            try await database.wait(for: "SELECT FROM effect")
        }
        #expect(started.withLock { $0 } == 1)
    }

    @Test func aJobOfMoreThanALeaseKeepsItsClaim() async throws {
        let database = try await make()
        try await database.store.set(Schedule("long", job: "long", .once(at: .now)))
        let starts = Mutex(0)
        var runner = database.runner()
        runner.exactlyOnce("long") { tick, transaction in
            starts.withLock { $0 += 1 }
            try await transaction.query(Self.addEffect, [tick.idempotencyKey, "1"])
            try await Task.sleep(for: .milliseconds(1_500))
        }
        let other = runner
        try await running(runner) {
            try await running(other) {
                try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
            }
        }
        #expect(starts.withLock { $0 } == 1)
    }

    @Test func aJobWhoseConnectionIsLostIsCancelled() async throws {
        let database = try await make()
        try await database.store.set(Schedule("long", job: "long", .once(at: .now)))
        let hasWritten = Mutex(false)
        let wasCancelled = Mutex(false)
        var runner = database.runner()
        runner.exactlyOnce("long") { tick, transaction in
            try await transaction.query(Self.addEffect, [tick.idempotencyKey, "1"])
            // The second attempt may begin before the first has noticed.
            if hasWritten.withLock({
                let before = $0; $0 = true; return before
            }) {
                return
            }
            do { try await Task.sleep(for: .seconds(60)) } catch {
                wasCancelled.withLock { $0 = true }
                throw error
            }
        }
        try await running(runner) {
            while !hasWritten.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            try await database.sql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE state = 'idle in transaction' AND datname = current_database()
                """)
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
            while !wasCancelled.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(try await database.number("SELECT count(*) FROM effect") == 1)
        #expect(try await database.sql("SELECT attempts FROM swivel_tick") == [["1"]])
    }

    @Test func argumentsReachTheJob() async throws {
        struct Invoice: Codable, Equatable { var customer: String; var cents: Int }
        let database = try await make()
        let invoice = Invoice(customer: "Ωß \"quoted\" \\ {}", cents: 7)
        var broken = Schedule("broken", job: "invoice", .once(at: .now))
        broken.attempts = 1
        try await database.store.set(
            try Schedule("good", job: "invoice", .once(at: .now), arguments: invoice), broken)
        var runner = database.runner()
        runner.exactlyOnce("invoice") { tick, transaction in
            let received = try tick.arguments(Invoice.self)
            #expect(received == invoice)
        }
        try await running(runner) {
            try await database.wait(
                for: "SELECT count(*) FROM swivel_tick HAVING count(*) = 2")
        }
        #expect(
            try await database.sql("SELECT state FROM swivel_tick ORDER BY state")
                == [["discarded"], ["done"]])
    }

    @Test func aPooledStoreRefusesThem() async throws {
        let database = try await TestDatabase.make(isPooled: true)
        var runner = database.runner()
        effects(&runner)
        await #expect(throws: ScheduleError.self) { try await runner.run() }
    }
}
