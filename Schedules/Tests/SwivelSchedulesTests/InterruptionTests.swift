// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import Synchronization
import Testing

@testable import SwivelSchedules

/// Ticks whose attempt is interrupted, and statements that the database does not take.
@Suite struct InterruptionTests {
    private static let addEffect = "INSERT INTO effect VALUES ($1)"

    private func make() async throws -> TestDatabase {
        let database = try await TestDatabase.make()
        try await database.sql("CREATE TABLE effect (key text)")
        return database
    }

    private func run(_ runner: ScheduleRunner, until isDone: () async throws -> Bool) async throws {
        try await running(runner) {
            while try await !isDone() { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test(arguments: [false, true])
    func aTickThatWasGivenBackIsNotTooLate(isLeased: Bool) async throws {
        let database = try await make()
        var schedule = Schedule("night", job: "long", .once(at: .now))
        schedule.missed = .skip(after: .milliseconds(300))
        try await database.store.set(schedule)
        let starts = Mutex(0)
        var runner = database.runner()
        @Sendable func work() async throws {
            let start = starts.withLock { starts in
                starts += 1
                return starts
            }
            if start == 1 { try await Task.sleep(for: .seconds(60)) }
        }
        if isLeased {
            runner.atLeastOnce("long") { _ in try await work() }
        } else {
            runner.exactlyOnce("long") { _, _ in try await work() }
        }
        try await run(runner) { starts.withLock { $0 } == 1 }
        try await Task.sleep(for: .milliseconds(400))
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
        #expect(try await database.sql("SELECT attempts FROM swivel_tick") == [["1"]])
    }

    @Test func aTickWhoseProcessDiedIsNotTooLate() async throws {
        let database = try await make()
        var schedule = Schedule("night", job: "note", .once(at: .now - 10))
        schedule.missed = .skip(after: .seconds(1))
        try await database.store.set(schedule)
        try await database.sql(
            "UPDATE swivel_schedule SET lease_by = 'dead', lease_until = now() - interval '1 s'")
        var runner = database.runner()
        runner.atLeastOnce("note") { _ in }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
    }

    @Test(arguments: [false, true])
    func aRecurrenceChangesWhileItsTickRuns(fails: Bool) async throws {
        let database = try await make()
        var schedule = Schedule(
            "report", job: "report", .every(.seconds(3_000_000), startingAt: .now))
        schedule.backoff = .constant(.milliseconds(10))
        try await database.store.set(schedule)
        let hasStarted = Mutex(false)
        let mayEnd = Mutex(false)
        var runner = database.runner()
        runner.atLeastOnce("report") { tick in
            hasStarted.withLock { $0 = true }
            while !mayEnd.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            if fails, tick.attempt == 1 { throw ScheduleError("the first attempt fails") }
        }
        try await running(runner) {
            while !hasStarted.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            schedule.recurrence = .every(.seconds(60))
            try await database.store.set(schedule)
            mayEnd.withLock { $0 = true }
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
        let isSoon = "SELECT next_at < now() + interval '61 s', number FROM swivel_schedule"
        #expect(try await database.sql(isSoon) == [["t", "1"]])
    }

    /// The new recurrence begins at its own instant, and the tick of the old one is not lost.
    @Test func aRecurrenceChangesAndTheTicksProcessDies() async throws {
        let database = try await make()
        let later = Date.now + 3_600
        var schedule = Schedule("report", job: "report", .every(.seconds(86_400), startingAt: .now))
        try await database.store.set(schedule)
        try await database.sql(
            "UPDATE swivel_schedule SET lease_by = 'dead', lease_until = now() + interval '1 s'")
        schedule.recurrence = .once(at: later)
        try await database.store.set(schedule)
        var runner = database.runner()
        runner.atLeastOnce("report") { tick in
            if tick.attempt == 1 { throw ScheduleError("the first attempt fails") }
        }
        schedule.backoff = .constant(.milliseconds(10))
        try await database.store.set(schedule)
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE attempts = 2")
        }
        let next = try await database.number(
            "SELECT extract(epoch FROM next_at)::bigint FROM swivel_schedule")
        #expect(abs(Double(next) - later.timeIntervalSince1970) < 2)
    }

    @Test func aJobThatHidesItsCancelDoesNotCommitAHalf() async throws {
        let database = try await make()
        try await database.store.set(Schedule("both", job: "both", .once(at: .now)))
        let starts = Mutex(0)
        var runner = database.runner()
        runner.exactlyOnce("both") { tick, transaction in
            _ = try? await transaction.query(Self.addEffect, ["first"])
            if starts.withLock({ $0 == 0 }) {
                starts.withLock { $0 = 1 }
                try? await Task.sleep(for: .seconds(60))
            }
            _ = try? await transaction.query(Self.addEffect, ["second"])
        }
        try await run(runner) { starts.withLock { $0 } == 1 }
        #expect(try await database.number("SELECT count(*) FROM effect") == 0)
        #expect(try await database.sql("SELECT failures FROM swivel_schedule") == [["0"]])
        try await running(runner) { try await database.wait(for: "SELECT FROM swivel_tick") }
        #expect(try await database.number("SELECT count(*) FROM effect") == 2)
    }

    @Test func aDrainEndsWithoutATransactionsJobThatIgnoresIt() async throws {
        let database = try await make()
        try await database.store.set(Schedule("deaf", job: "deaf", .once(at: .now)))
        let gate = AsyncStream.makeStream(of: Void.self)
        let hasStarted = Mutex(false)
        var runner = database.runner()
        runner.exactlyOnce("deaf") { _, transaction in
            try await transaction.query(Self.addEffect, ["never"])
            hasStarted.withLock { $0 = true }
            await Task.detached { for await _ in gate.stream {} }.value
        }
        try await run(runner) { hasStarted.withLock { $0 } }
        #expect(try await database.number("SELECT count(*) FROM effect") == 0)
        #expect(try await database.number("SELECT count(*) FROM swivel_tick") == 0)
        gate.continuation.finish()
    }

    @Test func theCharacterZeroIsRefused() async throws {
        let database = try await make()
        await #expect(throws: (any Error).self) {
            try await database.store.set(Schedule("a\0b", job: "note", .once(at: .now)))
        }
        #expect(try await database.store.list().isEmpty)
        var schedule = Schedule("zero", job: "zero", .once(at: .now))
        schedule.attempts = 1
        try await database.store.set(schedule)
        var runner = database.runner()
        runner.exactlyOnce("zero") { _, transaction in
            try await transaction.query(Self.addEffect, ["a\0b"])
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'discarded'")
        }
    }

    @Test(arguments: [1, 10]) func aJobsSettingsAreItsOwn(batch: Int) async throws {
        let database = try await make()
        var first = Schedule("sets", job: "sets", .once(at: .now))
        first.priority = 1
        try await database.store.set(first, Schedule("shows", job: "shows", .once(at: .now)))
        var runner = database.runner()
        runner.connections = 1
        runner.exactlyOnce("sets", batch: batch) { _, transaction in
            try await transaction.query("SET search_path TO tenant")
            try await transaction.query("SELECT pg_advisory_lock(7)")
        }
        runner.exactlyOnce("shows", batch: batch) { _, transaction in
            let rows = try await transaction.query(
                """
                SELECT current_setting('search_path') || ' ' || count(*) FROM pg_locks
                WHERE locktype = 'advisory' AND database =
                    (SELECT oid FROM pg_database WHERE datname = current_database())
                """)
            try await transaction.query(Self.addEffect, [rows[0][0]])
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM effect")
            try await database.wait(for: "SELECT FROM swivel_tick HAVING count(*) = 2")
        }
        #expect(try await database.sql("SELECT key FROM effect") == [["\"$user\", public 0"]])
    }

    @Test func anEndThatTheDatabaseRefusesHoldsUpNoOther() async throws {
        let database = try await make()
        var good = Schedule("good", job: "note", .every(.milliseconds(20), startingAt: .now))
        good.missed = .all
        try await database.store.set(Schedule("refused", job: "note", .once(at: .now)), good)
        try await database.sql(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW.schedule = (SELECT id FROM swivel_schedule WHERE name = 'refused') THEN
                    RAISE EXCEPTION 'this tick is not wanted';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON swivel_tick FOR EACH ROW
                EXECUTE FUNCTION refuse();
            """)
        var runner = database.runner()
        runner.atLeastOnce("note") { _ in }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick HAVING count(*) >= 30")
        }
    }

    /// Somebody has locked the table of ticks: their ends wait, and the leases are extended.
    @Test func endsThatWaitHoldUpNoLease() async throws {
        let database = try await make()
        let names = (0..<8).map { "short \($0)" }
        try await database.store.set(
            names.map { Schedule($0, job: "short", .once(at: .now)) }
                + [Schedule("long", job: "long", .once(at: .now))])
        let gate = AsyncStream.makeStream(of: Void.self)
        let longStarts = Mutex(0)
        let shortStarts = Mutex(0)
        var runner = ScheduleRunner(
            .postgreSQL(database.address, statementLimit: .milliseconds(200)))
        runner.lease = .seconds(1)
        runner.atLeastOnce("short") { _ in
            shortStarts.withLock { $0 += 1 }
            await Task.detached { for await _ in gate.stream {} }.value
        }
        runner.atLeastOnce("long") { _ in
            longStarts.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(4))
        }
        let holder = PostgresStore(
            address: database.address, isPooled: false, limits: StoreLimits())
        let session = try await holder.open(on: .shared)
        try await running(runner) {
            while shortStarts.withLock({ $0 }) < 8 || longStarts.withLock({ $0 }) < 1 {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await session.run("BEGIN")
            try await session.run("LOCK TABLE swivel_tick")
            gate.continuation.finish()
            try await Task.sleep(for: .seconds(3))
            try await session.run("COMMIT")
            try await database.wait(for: "SELECT FROM swivel_tick HAVING count(*) = 9")
        }
        await session.close()
        #expect(longStarts.withLock { $0 } == 1, "its lease was lost")
    }

    /// Its ticks go in several statements, each within its limit.
    @Test func aScheduleWithManyTicksIsRemoved() async throws {
        let database = try await make()
        try await database.store.set(Schedule("old", job: "note", .every(.seconds(60))))
        try await database.sql(
            """
            INSERT INTO swivel_tick (schedule, number, due, state, attempts)
            SELECT id, n, now(), 'done', 1 FROM swivel_schedule, generate_series(0, 25000) n
            """)
        try await database.store.remove("old")
        #expect(try await database.number("SELECT count(*) FROM swivel_tick") == 0)
    }

    @Test func settingsThatCannotWorkAreRefused() async throws {
        let database = try await make()
        var runner = database.runner()
        runner.lease = .zero
        await #expect(throws: ScheduleError.self) { try await runner.run() }
    }
}
