// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import Synchronization
import Testing

@testable import SwivelSchedules

/// Runners with the default lease, odd settings of the database, and rows that others hold.
@Suite struct EdgeTests {
    private func patient(_ database: TestDatabase) -> ScheduleRunner {
        var runner = database.runner()
        runner.lease = .seconds(30)
        return runner
    }

    @Test func leasedTicksFollowEachOtherWithinALease() async throws {
        let database = try await TestDatabase.make()
        var often = Schedule("often", job: "note", .every(.milliseconds(100), startingAt: .now))
        often.missed = .all
        var failing = Schedule("failing", job: "fails", .once(at: .now))
        failing.backoff = .constant(.milliseconds(100))
        try await database.store.set(
            often, failing, Schedule("later", job: "note", .once(at: .now + 1)))
        var runner = patient(database)
        runner.concurrency = 1
        runner.atLeastOnce("note") { _ in }
        runner.atLeastOnce("fails") { _ in throw Broken() }
        let began = ContinuousClock.now
        try await running(runner) {
            try await database.wait(
                for: """
                    SELECT FROM swivel_tick HAVING count(*) >= 20 AND count(DISTINCT schedule) = 3
                    """)
        }
        #expect(ContinuousClock.now - began < .seconds(15))
    }

    /// All places of leased jobs are taken for long.
    @Test func aFullPoolHoldsUpNoTransaction() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("long", job: "long", .once(at: .now)))
        let hasStarted = Mutex(false)
        var runner = patient(database)
        runner.concurrency = 1
        runner.atLeastOnce("long") { _ in
            hasStarted.withLock { $0 = true }
            try await Task.sleep(for: .seconds(60))
        }
        runner.exactlyOnce("quick") { _, _ in }
        try await running(runner) {
            while !hasStarted.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            try await database.store.set(Schedule("quick", job: "quick", .once(at: .now + 1)))
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
        #expect(
            try await database.number(
                "SELECT count(*) FROM swivel_tick WHERE fired_at > due + interval '5 s'") == 0)
    }

    @Test func aTickThatIsGivenBackIsTakenAtOnce() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("long", job: "long", .once(at: .now)))
        let starts = Mutex(0)
        var runner = patient(database)
        runner.drainLimit = .milliseconds(500)
        runner.atLeastOnce("long") { _ in
            let start = starts.withLock { count in
                count += 1
                return count
            }
            if start == 1 { try await Task.sleep(for: .seconds(60)) }
        }
        let other = runner
        let engine = runner.makeEngine()
        let work = Task { await engine.run() }
        while starts.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        try await running(other) {
            await engine.drain(within: .milliseconds(500))
            await work.value
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
        #expect(
            try await database.number(
                "SELECT count(*) FROM swivel_tick WHERE fired_at > due + interval '15 s'") == 0)
    }

    /// A transaction that the database does not commit is the failure of its tick alone.
    @Test(arguments: [
        "INSERT INTO child VALUES (7)", "DELETE FROM swivel_schedule WHERE name = 'bad'",
        "ALTER TABLE swivel_tick RENAME TO ticks",
    ])
    func aTickThatCannotBeCommittedFailsAlone(_ statement: String) async throws {
        let database = try await TestDatabase.make()
        try await database.sql(
            """
            CREATE TABLE parent (id int PRIMARY KEY);
            CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)
            """)
        var bad = Schedule("bad", job: "bad", .once(at: .now))
        bad.attempts = 2
        bad.backoff = .constant(.milliseconds(10))
        try await database.store.set(bad, Schedule("good", job: "good", .once(at: .now)))
        let runs = Mutex(0)
        var runner = patient(database)
        runner.connections = 1
        runner.exactlyOnce("bad", batch: 10) { _, transaction in
            runs.withLock { $0 += 1 }
            try await transaction.query(statement)
        }
        runner.exactlyOnce("good", batch: 10) { _, _ in }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
            try await database.wait(
                for: """
                    SELECT WHERE NOT EXISTS (SELECT FROM swivel_schedule WHERE name = 'bad')
                    OR EXISTS (SELECT FROM swivel_tick WHERE state = 'discarded')
                    """)
        }
        #expect(runs.withLock { $0 } <= 4)
    }

    @Test func aLeaseThatHasEndedIsNoHindrance() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("moved", job: "moved", .once(at: .now)))
        try await database.sql("UPDATE swivel_schedule SET lease_by = 'dead', lease_until = now()")
        var runner = patient(database)
        runner.exactlyOnce("moved") { _, _ in }
        try await running(runner) { try await database.wait(for: "SELECT FROM swivel_tick") }
    }

    @Test func onlyATickThatRunsIsCancelled() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("later", job: "note", .every(.seconds(3_600))))
        await #expect(throws: ScheduleError.self) { try await database.store.cancel("later") }
        #expect(try await database.number("SELECT count(*) FROM swivel_cancel") == 0)
    }

    /// Somebody has left a transaction open in psql.
    @Test func aRowThatIsHeldHoldsUpNoOther() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(
            Schedule("held", job: "long", .once(at: .now)),
            Schedule("free", job: "long", .once(at: .now)))
        let starts = Mutex(0)
        var runner = database.runner()
        runner.atLeastOnce("long") { _ in
            starts.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(2))
        }
        let holder = PostgresStore(
            address: database.address, isPooled: false, limits: StoreLimits())
        let session = try await holder.open(on: .shared)
        try await running(runner) {
            while starts.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
            try await session.run("BEGIN")
            try await session.run("UPDATE swivel_schedule SET priority = 1 WHERE name = 'held'")
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
            try await session.run("COMMIT")
            try await database.wait(
                for: "SELECT FROM swivel_tick WHERE state = 'done' HAVING count(*) = 2")
        }
        await session.close()
        #expect(starts.withLock { $0 } == 2)
    }

    @Test func oddSettingsDoNoHarm() async throws {
        let database = try await TestDatabase.make()
        let name = database.address.dropFirst("dbname=".count)
        try await database.sql(
            "ALTER DATABASE \(name) SET default_transaction_isolation = 'serializable'")
        try await database.sql("ALTER DATABASE \(name) SET client_encoding = 'SQL_ASCII'")
        var schedules = (0..<50).map { Schedule("\($0) ß", job: "note", .once(at: .now)) }
        for index in schedules.indices { schedules[index].timeLimit = .seconds(1e9) }
        try await database.store.set(schedules)
        var runner = patient(database)
        runner.exactlyOnce("note") { _, transaction in try await transaction.query("SELECT 'ß'") }
        try await running(runner) {
            try await database.wait(
                for: "SELECT FROM swivel_tick WHERE state = 'done' HAVING count(*) = 50")
        }
        #expect(try await database.number("SELECT max(attempts) FROM swivel_tick") == 1)
    }

    /// A cancel of a short statement does not reach the one after it.
    @Test func cancelsReachTheJobsStatementsAlone() async throws {
        let database = try await TestDatabase.make()
        var schedule = Schedule("busy", job: "busy", .every(.milliseconds(10), startingAt: .now))
        schedule.timeLimit = .milliseconds(20)
        schedule.attempts = 1
        schedule.missed = .all
        try await database.store.set(schedule)
        let runs = Mutex(0)
        var runner = patient(database)
        runner.connections = 1
        runner.exactlyOnce("busy") { _, transaction in
            runs.withLock { $0 += 1 }
            while true { try await transaction.query("SELECT 1") }
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_schedule WHERE number >= 40")
        }
        let ticks = try await database.number("SELECT count(*) FROM swivel_tick")
        // The last one may have been given back.
        #expect((ticks...ticks + 1).contains(runs.withLock { $0 }))
    }

    /// A database that has stopped answers no statement. The drain ends all the same.
    @Test func aDrainDoesNotWaitForAnAnswerThatNeverComes() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("asks", job: "asks", .once(at: .now)))
        let server = Mutex<pid_t>(0)
        var runner = patient(database)
        runner.exactlyOnce("asks") { _, transaction in
            let rows = try await transaction.query("SELECT pg_backend_pid()")
            let id = rows[0][0].flatMap { pid_t($0) } ?? 0
            kill(id, SIGSTOP)
            server.withLock { $0 = id }
            try await transaction.query("SELECT 1")
        }
        let engine = runner.makeEngine()
        let work = Task { await engine.run() }
        while server.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let began = ContinuousClock.now
        await engine.drain(within: .milliseconds(300))
        await work.value
        #expect(ContinuousClock.now - began < .seconds(10))
        kill(server.withLock { $0 }, SIGCONT)
    }
}
