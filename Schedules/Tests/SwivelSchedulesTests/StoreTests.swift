// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import SwivelCore
import Synchronization
import Testing

@testable import SwivelSchedules

/// Operations of administrators, and databases that are not ready.
@Suite struct StoreTests {
    @Test func settingTwiceChangesNothing() async throws {
        let database = try await TestDatabase.make()
        var schedule = Schedule("a", job: "b", .every(.seconds(3_600)))
        try await database.store.set(schedule)
        let before = try await database.sql("SELECT * FROM swivel_schedule")
        try await database.store.set(schedule)
        #expect(try await database.sql("SELECT * FROM swivel_schedule") == before)
        // A new policy keeps the next tick, a new recurrence does not.
        schedule.attempts = 9
        try await database.store.set(schedule)
        let next = "SELECT next_at, number FROM swivel_schedule"
        #expect(try await database.sql(next)[0][0] == before[0][7])
        schedule.recurrence = .every(.seconds(60))
        try await database.store.set(schedule)
        #expect(try await database.sql(next)[0][0] != before[0][7])
    }

    @Test func aScheduleCanBeSwitchedOffWhereItIsWritten() async throws {
        let store = try await TestDatabase.make().store
        var schedule = Schedule("a", job: "note", .every(.seconds(3_600)))
        try await store.set(schedule)
        schedule.isEnabled = false
        try await store.set(schedule)
        #expect(try await store.list().map(\.state) == [.paused])
        schedule.isEnabled = true
        try await store.set(schedule)
        #expect(try await store.list().map(\.state) == [.paused], "somebody may have paused it")
    }

    @Test func pausingOutlastsASetAndMissedTicksFollowThePolicy() async throws {
        let database = try await TestDatabase.make()
        var all = Schedule("all", job: "note", .every(.milliseconds(100), startingAt: .now - 10))
        all.missed = .all
        var latest = Schedule(
            "latest", job: "note", .every(.seconds(3_600), startingAt: .now - 36_000 - 600))
        latest.missed = .latest
        var skip = Schedule(
            "skip", job: "note", .every(.seconds(3_600), startingAt: .now - 36_000 - 600))
        skip.missed = .skip
        try await database.store.set(all, latest, skip)
        for name in ["all", "latest", "skip"] { try await database.store.pause(name) }
        try await database.store.set(all, latest, skip)
        var runner = database.runner()
        runner.exactlyOnce("note", batch: 10) { _, _ in }
        try await running(runner) {
            try await Task.sleep(for: .milliseconds(200))
            #expect(try await database.number("SELECT count(*) FROM swivel_tick") == 0)
            #expect(try await database.store.list().map(\.state) == [.paused, .paused, .paused])
            for name in ["all", "latest", "skip"] { try await database.store.resume(name) }
            try await database.wait(
                for: "SELECT FROM swivel_schedule WHERE name = 'all' AND number >= 100")
        }
        let late = """
            SELECT count(*), min(round(extract(epoch FROM fired_at - due)))
            FROM swivel_tick JOIN swivel_schedule s ON s.id = schedule WHERE s.name =
            """
        #expect(try await database.sql("\(late) 'latest'") == [["1", "600"]])
        #expect(try await database.sql("\(late) 'skip'") == [["0", nil]])
        // Both wait for the same instant of their grid.
        let next = try await database.sql(
            "SELECT DISTINCT next_at > now() FROM swivel_schedule WHERE name <> 'all'")
        #expect(next == [["t"]])
    }

    @Test(arguments: [false, true]) func aChangeOfARowIsNoticed(isPooled: Bool) async throws {
        let database = try await TestDatabase.make(isPooled: isPooled)
        try await database.store.set(Schedule("far", job: "note", .every(.seconds(86_400))))
        var runner = database.runner()
        runner.atLeastOnce("note") { _ in }
        try await running(runner) {
            try await Task.sleep(for: .milliseconds(300))
            try await database.sql("UPDATE swivel_schedule SET next_at = clock_timestamp()")
            try await database.wait(for: "SELECT FROM swivel_tick")
            try await database.store.run("far")
            try await database.wait(for: "SELECT FROM swivel_tick WHERE number = 1")
        }
        #expect(
            try await database.number(
                "SELECT count(*) FROM swivel_tick WHERE fired_at > due + interval '1500 ms'") == 0)
    }

    @Test func aScheduleOfAnUnknownJobWaits() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("strange", job: "strange", .once(at: .now)))
        var runner = database.runner()
        runner.atLeastOnce("note") { _ in }
        runner.exactlyOnce("note too") { _, _ in }
        try await running(runner) {
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect(try await database.store.list().map(\.state) == [.due])
        var other = database.runner()
        other.atLeastOnce("strange") { _ in }
        try await running(other) { try await database.wait(for: "SELECT FROM swivel_tick") }
    }

    @Test func aDefinitionThatCannotBeReadFailsAlone() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(
            Schedule("bad", job: "note", .once(at: .now)),
            Schedule("good", job: "note", .once(at: .now + 0.3)))
        try await database.sql(
            "UPDATE swivel_schedule SET definition = '{\"recurrence\": 7}' WHERE name = 'bad'")
        var runner = database.runner()
        runner.exactlyOnce("note") { _, _ in }
        try await running(runner) { try await database.wait(for: "SELECT FROM swivel_tick") }
        let list = try await database.store.list()
        #expect(list.map(\.state) == [.failing, .over])
        #expect(list[0].error != nil)
    }

    @Test func aSchemaThatIsMissingOrTooNewIsReported() async throws {
        let missing = try await TestDatabase.make(migrated: false)
        await #expect {
            try await missing.store.set(Schedule("a", job: "b", .once(at: .now)))
        } throws: {
            "\($0)".contains("migrate")
        }
        let newer = try await TestDatabase.make()
        try await newer.sql("INSERT INTO swivel_schedules_version VALUES (99, 98)")
        await #expect {
            try await newer.store.list()
        } throws: {
            "\($0)".contains("update")
        }
        // A newer schema with which this program can work.
        try await newer.sql("UPDATE swivel_schedules_version SET oldest_program = 1")
        #expect(try await newer.store.list().isEmpty)
    }

    /// The runner begins before there is a schema, and stays while the database is read-only.
    @Test func aRunnerOutlastsADatabaseThatIsNotReady() async throws {
        let database = try await TestDatabase.make(migrated: false)
        var runner = database.runner()
        runner.exactlyOnce("locked") { _, _ in }
        runner.atLeastOnce("leased") { _ in }
        try await running(runner) {
            try await Task.sleep(for: .milliseconds(200))
            try await database.store.migrate()
            let name = database.address.dropFirst("dbname=".count)
            try await database.store.set(
                Schedule("locked", job: "locked", .once(at: .now + 1)),
                Schedule("leased", job: "leased", .once(at: .now + 1)))
            try await database.sql("ALTER DATABASE \(name) SET default_transaction_read_only = on")
            try await endConnections(of: database)
            try await Task.sleep(for: .milliseconds(1_500))
            try await database.sql("ALTER DATABASE \(name) SET default_transaction_read_only = off")
            try await endConnections(of: database)
            try await database.wait(
                for: "SELECT count(*) FROM swivel_tick HAVING count(*) = 2")
        }
    }

    private func endConnections(of database: TestDatabase) async throws {
        try await database.sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
    }

    /// One attempt per step of the backoff, however many connections a process wants.
    @Test func thereIsNoStormOfConnections() async throws {
        let nowhere = ScheduleStore.postgreSQL("host=/nonexistent")
        let counting = CountingStore(nowhere.store)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var runner = ScheduleRunner(ScheduleStore(counting, on: .shared), logger: logger)
        runner.settings.reconnect = .constant(.milliseconds(50))
        runner.connections = 20
        runner.exactlyOnce("locked") { _, _ in }
        let began = ContinuousClock.now
        try await running(runner) { try await Task.sleep(for: .milliseconds(500)) }
        let most = Int((ContinuousClock.now - began) / .milliseconds(50)) + 2
        let count = counting.count.withLock { $0 }
        #expect((2...most).contains(count))
    }

    @Test func oldTicksAreRemovedAndKeysThatCanBeClaimedStay() async throws {
        let database = try await TestDatabase.make()
        var schedule = Schedule("often", job: "note", .every(.milliseconds(10), startingAt: .now))
        schedule.missed = .all
        try await database.store.set(schedule)
        var runner = database.runner()
        runner.exactlyOnce("note", batch: 10) { _, _ in }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_schedule WHERE number > 20")
        }
        // A clock that was set back: the notes are of the future, and then of the distant past.
        let number = try await database.number("SELECT number FROM swivel_schedule")
        try await database.sql("UPDATE swivel_schedule SET number = 5")
        let session = try await database.store.store.connect(lease: .seconds(30), on: .shared) {}
        try await database.sql("UPDATE swivel_tick SET fired_at = now() + interval '1 day'")
        _ = try await session.prune(after: .seconds(1), limit: 1_000)
        #expect(try await database.number("SELECT count(*) FROM swivel_tick") == number)
        try await database.sql("UPDATE swivel_tick SET fired_at = now() - interval '1 day'")
        _ = try await session.prune(after: .seconds(1), limit: 1_000)
        #expect(try await database.number("SELECT min(number) FROM swivel_tick") == 5)
        #expect(try await database.number("SELECT count(*) FROM swivel_tick") == number - 5)
        await session.close()
    }
}

/// Counts connects.
private struct CountingStore: Store {
    private let base: any Store
    let count = Counter()

    final class Counter: Sendable {
        private let value = Mutex(0)
        func withLock<R>(_ body: (inout sending Int) -> sending R) -> sending R {
            value.withLock(body)
        }
    }

    init(_ base: any Store) { self.base = base }

    var hasTransactions: Bool { true }

    func connect(
        lease: Duration, on loop: Loop, wake: @escaping @Sendable () -> Void
    ) async throws -> any StoreSession {
        count.withLock { $0 += 1 }
        return try await base.connect(lease: lease, on: loop, wake: wake)
    }

    func abandon(_ ids: [Int64]) {}
    func migrate(on loop: Loop) async throws {}

    func administer<R: Sendable>(
        on loop: Loop, _ body: @Sendable (any StoreAdministration) async throws -> R
    ) async throws -> R {
        try await base.administer(on: loop, body)
    }
}
