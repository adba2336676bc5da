// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct WithTimeoutTests {
    /// A body that waits until it is cancelled.
    private static func untilCancelled(_ loop: Loop) async throws {
        for await _ in loop.ticks(every: .seconds(1_000_000)) {}
        try Task.checkCancellation()
    }

    /// The forms that do not suspend, which an asynchronous function cannot name.
    private func moveTime(of loop: Loop, by duration: Duration) { loop.advance(by: duration) }
    private func shutDown(_ loop: Loop) { loop.shutdown() }

    /// A body that is quick gives its value, and the timer is gone.
    @Test func aQuickBodyGivesItsValue() async throws {
        let loop = try manualLoop()
        let value = try await withTimeout(.seconds(1), on: loop) { 7 }
        #expect(value == 7)
        loop.runDue()
        #expect(loop.pending.isEmpty)
    }

    /// The loop's end cancels the body too, and no limit has passed.
    @Test func theEndOfTheLoopIsNoExpiry() async throws {
        let loop = try manualLoop()
        let hasExpired = try await withTimeout(.hours(1), on: loop) { timeout in
            shutDown(loop)
            while !Task.isCancelled { await Task.yield() }
            return timeout.isExpired
        }
        #expect(!hasExpired)
    }

    /// A body that is slow is cancelled when the limit has passed, to the nanosecond.
    @Test func aSlowBodyIsCancelled() async throws {
        let loop = try manualLoop()
        let task = Task {
            try await withTimeout(.seconds(2), on: loop) { try await Self.untilCancelled(loop) }
        }
        try await loop.waitForPending(2)
        moveTime(of: loop, by: .seconds(2) - .nanoseconds(1))
        #expect(loop.pending.count == 2)
        moveTime(of: loop, by: .nanoseconds(1))
        let error = await #expect(throws: SwivelError.self) { try await task.value }
        #expect(error?.code == .timedOut && error?.message.contains("2.0 seconds") == true)
        loop.runDue()
        #expect(loop.pending.isEmpty)
    }

    /// The body's task is needed until its cancel has returned, handlers included.
    @Test func theEndWaitsForTheCancel() async {
        let core = TimeoutCore(until: .never)
        let order = Shared<[String]>()
        let entered = Gate()
        let mayEnd = Gate()
        let begun = Gate()
        let isOver = Shared(false)
        let body = Task.detached {
            withUnsafeCurrentTask { core.begin($0) }
            await withTaskCancellationHandler {
                begun.open()
                // It leaves only after the handler: that would wait for it, and keep its thread.
                while !isOver.value { await Task.yield() }
            } onCancel: {
                entered.open()
                mayEnd.wait()
                order.append("cancelled")
            }
        }
        begun.wait()
        let canceller = TestThread { core.end() }
        entered.wait()
        let isAsking = Gate()
        let end = Task.detached {
            isAsking.open()
            await core.finish()
            order.append("finished")
        }
        isAsking.wait()
        // Long enough for one that does not wait.
        _ = eventually(seconds: 1) { !order.value.isEmpty }
        mayEnd.open()
        canceller.join()
        await end.value
        isOver.value = true
        await body.value
        #expect(order.value == ["cancelled", "finished"])
    }

    /// A body's own error is its own, in time; after the limit it is the timeout's.
    @Test func aBodysErrorIsItsOwn() async throws {
        struct Odd: Error {}
        let loop = try manualLoop()
        await #expect(throws: Odd.self) {
            try await withTimeout(.seconds(2), on: loop) { throw Odd() }
        }
        let task = Task {
            try await withTimeout(.seconds(2), on: loop) {
                try? await Self.untilCancelled(loop)
                throw Odd()
            }
        }
        try await loop.waitForPending(2)
        moveTime(of: loop, by: .seconds(2))
        let error = await #expect(throws: SwivelError.self) { try await task.value }
        #expect(error?.code == .timedOut)
    }

    /// The limit has passed, and its timer has yet to fire.
    @Test func aLimitThatHasPassedIsNotMoved() async throws {
        let loop = try manualLoop()
        let task = Task {
            try await withTimeout(.seconds(2), on: loop) { timeout in
                loop.schedule(after: .seconds(1)) {
                    loop.advance(by: .seconds(2))
                    #expect(!timeout.extend(by: .seconds(1)) && !timeout.restart())
                }
                try await Self.untilCancelled(loop)
            }
        }
        try await loop.waitForPending(3)
        moveTime(of: loop, by: .seconds(1))
        let error = await #expect(throws: SwivelError.self) { try await task.value }
        #expect(error?.code == .timedOut)
    }

    /// The timer is not armed for a body that has ended.
    @Test func aLimitWhoseBodyHasEndedIsNotMoved() async throws {
        let loop = try manualLoop()
        let timeout = try await withTimeout(.seconds(2), on: loop) { $0 }
        #expect(!timeout.extend(by: .seconds(1)) && !timeout.restart())
        #expect(timeout.deadline == epoch + .seconds(2) && !timeout.isExpired)
        #expect(loop.metrics.pending == 0)
        moveTime(of: loop, by: .seconds(9))
        #expect(!timeout.isExpired)
    }

    /// A limit that is moved while its timer fires has not passed; one that has passed stays.
    @Test func aMoveInTimeCounts() {
        let end = TimeoutCore(until: epoch + .seconds(2))
        #expect(end.move(at: epoch + .seconds(1), { $0 + .seconds(1) }, { _ in true }))
        var armed: [LoopClock.Instant] = []
        let passes = [2, 3].map { end.pass(at: epoch + .seconds($0)) { armed.append($0) } }
        #expect(passes == [false, true] && armed == [epoch + .seconds(3)])
        #expect(!end.move(at: epoch + .seconds(3), { $0 + .seconds(1) }, { _ in true }))
        // The clock of another thread may be behind.
        #expect(!end.move(at: epoch + .seconds(1), { $0 + .seconds(1) }, { _ in true }))
        #expect(end.deadline == epoch + .seconds(3))
    }

    /// The body moves its limit: by a time, or to the whole limit from now.
    @Test func theBodyMovesItsLimit() async throws {
        let loop = try manualLoop()
        let begun = Shared<Timeout?>(nil)
        let task = Task {
            try await withTimeout(.seconds(2), on: loop) { timeout in
                begun.value = timeout
                try await Self.untilCancelled(loop)
            }
        }
        try await loop.waitForPending(2)
        let timeout = try #require(begun.value)
        #expect(timeout.deadline == epoch + .seconds(2))
        #expect(timeout.extend(by: .seconds(3)))
        moveTime(of: loop, by: .seconds(4))
        #expect(!timeout.isExpired && timeout.deadline == epoch + .seconds(5))
        #expect(timeout.restart() && timeout.deadline == epoch + .seconds(6))
        #expect(timeout.extend(by: .seconds(-1)) && timeout.deadline == epoch + .seconds(5))
        moveTime(of: loop, by: .seconds(1))
        #expect(timeout.isExpired && !timeout.extend(by: .seconds(1)) && !timeout.restart())
        await #expect(throws: SwivelError.self) { try await task.value }
        #expect(!timeout.extend(by: .seconds(1)))
    }

    /// A loop that is over can keep no limit: it says so, before the body and in it.
    @Test func shutdownEndsTheBody() async throws {
        let loop = try manualLoop()
        let task = Task {
            try await withTimeout(.seconds(2), on: loop) { try await Self.untilCancelled(loop) }
        }
        try await loop.waitForPending(2)
        await loop.shutdown()
        let error = await #expect(throws: SwivelError.self) { try await task.value }
        #expect(error?.code == .shutdown)
        let late = await #expect(throws: SwivelError.self) {
            try await withTimeout(.seconds(2), on: loop) { Issue.record("ran") }
        }
        #expect(late?.code == .shutdown)
    }

    /// Limits that pass while bodies end: each returns once, and nothing stays on the loop.
    @Test func limitsRaceTheirBodies() async throws {
        let loop = try threadedLoop()
        for number in 0..<Machine.scaled(4000) {
            // The first of four cannot end in time, the second cannot be late, the others race.
            let kind = number % 4
            var code: SwivelError.Code?
            do {
                let limit = Duration.microseconds(kind == 1 ? 3_600_000_000 : number % 40)
                try await withTimeout(limit, on: loop) {
                    if kind == 0 { try await Self.untilCancelled(loop) }
                    for _ in 0..<(number % 7) { await Task.yield() }
                    try Task.checkCancellation()
                }
            } catch {
                code = (error as? SwivelError)?.code
                #expect(code == .timedOut)
            }
            #expect(kind > 1 || (code == .timedOut) == (kind == 0))
        }
        let report = await loop.shutdown()
        #expect(report.cancelledTimers == 0)
    }
}
