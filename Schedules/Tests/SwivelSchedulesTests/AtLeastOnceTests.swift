// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import Synchronization
import Testing

@testable import SwivelSchedules

@Suite struct AtLeastOnceTests {
    @Test(arguments: [false, true]) func eachTickFires(isPooled: Bool) async throws {
        let database = try await TestDatabase.make(isPooled: isPooled)
        try await database.store.set(
            (0..<100).map { Schedule("one \($0)", job: "note", .once(at: .now)) })
        let keys = Mutex<[String]>([])
        var runner = database.runner()
        runner.atLeastOnce("note") { tick in
            keys.withLock { $0.append(tick.idempotencyKey) }
        }
        let other = runner
        try await running(runner) {
            try await running(other) {
                try await database.wait(
                    for: "SELECT count(*) FROM swivel_tick HAVING count(*) = 100")
            }
        }
        #expect(Set(keys.withLock { $0 }).count == 100)
        #expect(keys.withLock { $0 }.count == 100, "and once, because no process has died")
        #expect(
            try await database.number(
                "SELECT count(*) FROM swivel_schedule WHERE lease_by IS NOT NULL") == 0)
    }

    @Test func theLeaseIsExtendedWhileTheJobRuns() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("long", job: "long", .once(at: .now)))
        let starts = Mutex(0)
        var runner = database.runner()
        runner.atLeastOnce("long") { _ in
            starts.withLock { $0 += 1 }
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

    @Test func anExpiredLeaseIsAnotherProcesss() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("once", job: "note", .once(at: .now)))
        // A process that has died.
        try await database.sql(
            """
            UPDATE swivel_schedule SET lease_by = 'dead',
                lease_until = clock_timestamp() + interval '300 ms'
            """)
        var runner = database.runner()
        runner.atLeastOnce("note") { _ in }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
        #expect(
            try await database.number(
                """
                SELECT count(*) FROM swivel_tick, swivel_schedule
                WHERE fired_at < due + interval '250 ms'
                """) == 0)
    }

    @Test func aJobWhoseLeaseIsLostIsCancelledAndWritesNothing() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(Schedule("taken", job: "note", .once(at: .now)))
        let started = Mutex(false)
        let cancelled = Mutex(false)
        var runner = database.runner()
        runner.atLeastOnce("note") { _ in
            if started.withLock({
                let before = $0; $0 = true; return before
            }) {
                return
            }
            do { try await Task.sleep(for: .seconds(60)) } catch {
                cancelled.withLock { $0 = true }
                throw error
            }
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_schedule WHERE lease_by IS NOT NULL")
            try await database.sql(
                """
                UPDATE swivel_schedule SET lease_by = 'another',
                    lease_until = clock_timestamp() + interval '1 s'
                """)
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
        #expect(cancelled.withLock { $0 })
        #expect(try await database.sql("SELECT attempts FROM swivel_tick") == [["1"]])
    }

    @Test func aJobThatIgnoresItsCancelKeepsItsPlaceAndItsLeaseEnds() async throws {
        let database = try await TestDatabase.make()
        var stubborn = Schedule("stubborn", job: "stubborn", .once(at: .now))
        stubborn.timeLimit = .milliseconds(50)
        stubborn.attempts = 1
        try await database.store.set(stubborn)
        let gate = AsyncStream.makeStream(of: Void.self)
        var runner = database.runner()
        runner.concurrency = 1
        runner.atLeastOnce("note") { _ in }
        runner.atLeastOnce("stubborn") { _ in
            await Task.detached { for await _ in gate.stream {} }.value
        }
        try await running(runner) {
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'discarded'")
            try await database.store.set(Schedule("later", job: "note", .once(at: .now)))
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await database.number("SELECT count(*) FROM swivel_tick") == 1)
            gate.continuation.finish()
            try await database.wait(for: "SELECT FROM swivel_tick WHERE state = 'done'")
        }
    }

    /// 100 jobs run at SIGTERM: some end by themselves, others are given back.
    @Test func aDrainEndsOrReturnsEachJobWithinItsLimit() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(
            (0..<100).map {
                Schedule("\($0)", job: $0 % 2 == 0 ? "short" : "long", .once(at: .now))
            })
        let started = Mutex(0)
        var runner = database.runner()
        runner.concurrency = 100
        runner.drainLimit = .seconds(1)
        runner.atLeastOnce("short") { _ in
            started.withLock { $0 += 1 }
            try await Task.sleep(for: .milliseconds(300))
        }
        runner.atLeastOnce("long") { _ in
            started.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(60))
        }
        let engine = runner.makeEngine()
        let work = Task { await engine.run() }
        while started.withLock({ $0 }) < 100 { try await Task.sleep(for: .milliseconds(5)) }
        let began = ContinuousClock.now
        await engine.drain(within: .seconds(1))
        await work.value
        #expect(ContinuousClock.now - began < .seconds(3))
        #expect(try await database.number("SELECT count(*) FROM swivel_tick") == 50)
        #expect(
            try await database.number(
                """
                SELECT count(*) FROM swivel_schedule WHERE failures = 0 AND lease_by IS NULL
                    AND due_at <= now() AND job = 'long'
                """) == 50)
    }

    @Test func aTickIsCancelledFromElsewhere() async throws {
        let database = try await TestDatabase.make()
        try await database.store.set(
            Schedule("leased", job: "leased", .every(.seconds(3_600), startingAt: .now)),
            Schedule("locked", job: "locked", .every(.seconds(3_600), startingAt: .now)))
        let started = Mutex(0)
        var runner = database.runner()
        runner.atLeastOnce("leased") { _ in
            started.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(60))
        }
        runner.exactlyOnce("locked") { _, _ in
            started.withLock { $0 += 1 }
            try await Task.sleep(for: .seconds(60))
        }
        try await running(runner) {
            while started.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
            let states = try await database.store.list().map(\.state)
            #expect(states == [.running, .running])
            // A row whose tick runs in a transaction cannot be changed, and says so.
            await #expect(throws: ScheduleError.self) { try await database.store.pause("locked") }
            try await database.store.cancel("leased")
            try await database.store.cancel("locked")
            try await database.wait(
                for:
                    "SELECT count(*) FROM swivel_tick WHERE state = 'cancelled' HAVING count(*) = 2"
            )
        }
        let list = try await database.store.list()
        #expect(list.map(\.state) == [.waiting, .waiting])
        #expect(list.map(\.number) == [1, 1])
        #expect(try await database.number("SELECT count(*) FROM swivel_cancel") == 0)
    }
}
