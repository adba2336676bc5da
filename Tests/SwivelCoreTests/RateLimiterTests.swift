// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
@testable import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct RateLimiterTests {
    /// The forms that do not suspend, which an asynchronous function cannot name.
    private func moveTime(of loop: Loop, by duration: Duration) { loop.advance(by: duration) }

    /// The timer for a waiter is refused: the waiter would never be served.
    @Test func aWaitWithoutMemoryEndsWithAnError() async throws {
        let loop = try threadedLoop()
        let limiter = RateLimiter(1, per: .hours(1), on: loop)
        #expect(limiter.tryAcquire())
        let (isFull, ended) = (Gate(), Gate())
        loop.execute {
            swivel_inbox_pretend_full(loop.record)
            isFull.open()
            ended.wait()
        }
        isFull.wait()
        let error = await #expect(throws: SwivelError.self) { try await limiter.acquire() }
        #expect(error?.code == .outOfMemory && limiter.waiting == 0)
        ended.open()
        await loop.shutdown()
    }

    /// Two threads' clocks may differ by nanoseconds: there are none, not fewer.
    @Test func thereAreNeverFewerThanNone() {
        var bucket = Bucket(count: 1, period: 10, burst: 1)
        let isTaken = bucket.take(1, at: 100)
        #expect(isTaken && bucket.available(at: 99) == 0)
    }

    /// The bucket begins full, and fills evenly, to the nanosecond.
    @Test func theBucketFillsEvenly() throws {
        let loop = try manualLoop()
        let limiter = RateLimiter(3, per: .seconds(1), on: loop)
        #expect(limiter.available == 3 && limiter.tryAcquire(3) && !limiter.tryAcquire())
        loop.advance(by: .nanoseconds(333_333_333))
        #expect(limiter.available == 0 && !limiter.tryAcquire())
        loop.advance(by: .nanoseconds(1))
        #expect(limiter.available == 1 && limiter.tryAcquire() && !limiter.tryAcquire())
        loop.advance(by: .seconds(1000))
        #expect(limiter.available == 3)
    }

    /// S1: a drain serves those that are due within its limit, one timer after another.
    @Test func aDrainServesThoseThatWait() async throws {
        let loop = try manualLoop()
        let limiter = RateLimiter(1, per: .seconds(1), on: loop)
        #expect(limiter.tryAcquire())
        let tasks = (0..<4).map { _ in Task.detached { try await limiter.acquire() } }
        while limiter.waiting < 4 { await Task.yield() }
        tasks[2].cancel()
        await loop.shutdown(.drain(within: .seconds(30)))
        for number in [0, 1, 3] { try await tasks[number].value }
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
    }

    /// Permits that are there are not to be had while a task waits for more.
    @Test func noneIsAvailableWhileATaskWaits() async throws {
        let loop = try manualLoop()
        let limiter = RateLimiter(10, per: .seconds(10), on: loop)
        #expect(limiter.tryAcquire(5))
        let task = Task { try await limiter.acquire(10) }
        while limiter.waiting == 0 { await Task.yield() }
        #expect(limiter.available == 0 && !limiter.tryAcquire())
        task.cancel()
        _ = await task.result
        #expect(limiter.available == 5)
    }

    /// Callers that wait are served in order, and no caller overtakes them.
    @Test func waitersAreServedInOrder() async throws {
        let loop = try manualLoop()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 2, on: loop)
        #expect(limiter.tryAcquire(2))
        let line = Timeline(on: loop)
        var tasks: [Task<Void, any Error>] = []
        for (name, permits) in [("a", 2), ("b", 1), ("c", 1)] {
            tasks.append(
                Task {
                    try await limiter.acquire(permits)
                    line.mark(name)
                })
            // Each has its place before the next one comes.
            while limiter.waiting < tasks.count { await Task.yield() }
        }
        // The first one arms the timer after it has taken its place.
        try await loop.waitForPending()
        moveTime(of: loop, by: .seconds(1))
        #expect(!limiter.tryAcquire() && loop.pending.count == 1)
        for task in tasks {
            await loop.advanceToNextDeadline()
            try await task.value
        }
        #expect("\(line)" == "--abc")
        loop.runDue()
        #expect(loop.pending.isEmpty)
    }

    /// A cancel gives the place up: those behind move up, and nothing is taken.
    @Test func aCancelGivesThePlaceUp() async throws {
        let loop = try manualLoop()
        let limiter = RateLimiter(1, per: .seconds(1), burst: 5, on: loop)
        #expect(limiter.tryAcquire(5))
        let first = Task { try await limiter.acquire(5) }
        try await loop.waitForPending()
        let second = Task { try await limiter.acquire(1) }
        while limiter.waiting < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await loop.advance(by: .seconds(1))
        try await second.value
        #expect(limiter.available == 0)
        loop.runDue()
        #expect(loop.pending.isEmpty)
    }

    /// The loop's end is theirs.
    @Test func shutdownFailsThoseWhoWait() async throws {
        let loop = try manualLoop()
        let limiter = RateLimiter(1, per: .seconds(1), on: loop)
        try await limiter.acquire()
        let task = Task { try await limiter.acquire() }
        try await loop.waitForPending()
        await loop.shutdown()
        for task in [task, Task { try await limiter.acquire() }] {
            let error = await #expect(throws: SwivelError.self) { try await task.value }
            #expect(error?.code == .shutdown)
        }
    }

    /// Many tasks on a real loop, some of them cancelled: each ends once, and the rate holds.
    @Test func waitersRaceTheirCancellation() async throws {
        let loop = try threadedLoop()
        let limiter = RateLimiter(20_000, per: .seconds(1), burst: 1, on: loop)
        let begin = loop.now
        let granted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<Machine.scaled(2000) {
                group.addTask {
                    let task = Task { try await limiter.acquire() }
                    if number % 3 == 0 { task.cancel() }
                    return (try? await task.value) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(begin.duration(to: loop.now) >= .microseconds(50) * (granted - 1))
        let report = await loop.shutdown()
        #expect(report.cancelledTimers == 0)
    }

    /// Permits that can never be had, and senseless settings, trap.
    @Test func senselessSettingsTrap() async {
        await #expect(processExitsWith: .failure) {
            try exitTest {
                _ = RateLimiter(1, per: .seconds(1), on: try manualLoop()).tryAcquire(2)
            }
        }
        await #expect(processExitsWith: .failure) {
            try exitTest { _ = RateLimiter(0, per: .seconds(1), on: try manualLoop()) }
        }
        await #expect(processExitsWith: .failure) {
            try exitTest { _ = RateLimiter(1, per: .zero, on: try manualLoop()) }
        }
    }
}
