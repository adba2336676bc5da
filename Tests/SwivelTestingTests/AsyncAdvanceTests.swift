// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

@Suite struct AsyncAdvanceTests {
    /// A task on the pool that waits for tick after tick sees each at its own instant.
    @Test func aTaskSeesEachInstant() async throws {
        let loop = try Loop.manual()
        let line = Timeline(on: loop)
        let task = Task {
            for await tick in loop.ticks(every: .seconds(2)) {
                line.mark("\(tick.index)")
                if tick.index == 3 { break }
            }
            line.end()
        }
        for _ in 0..<4 {
            try await loop.waitForPending()
            await loop.advance(by: .seconds(2))
        }
        await task.value
        #expect("\(line)" == "--0-1-2-(3|)")
    }

    /// From deadline to deadline, with tasks in between.
    @Test func nextDeadlinesWithTasks() async throws {
        let loop = try Loop.manual()
        let start = loop.now
        let task = Task {
            var ticks = loop.ticks(every: .seconds(1)).makeAsyncIterator()
            _ = await ticks.next()
        }
        try await loop.waitForPending()
        #expect(await loop.advanceToNextDeadline() == start + .seconds(1))
        await task.value
        #expect(await loop.advanceToNextDeadline() == nil)
        #expect(try await loop.runUntilIdle() == .zero)
    }

    /// Where many timers share a slot, time comes to the instant of one that was cancelled, and goes on.
    @Test func whereNothingFiresIsNoDeadline() async throws {
        let loop = try Loop.manual()
        let start = loop.now
        let handles = (0..<100).map { number in
            loop.schedule(at: start + .seconds(10) + .microseconds(number)) {}
        }
        await loop.advance(by: .seconds(1))
        for handle in handles[..<7] { handle.cancel() }
        #expect(await loop.advanceToNextDeadline() == start + .seconds(10) + .microseconds(7))
        for handle in handles { handle.cancel() }
        #expect(await loop.advanceToNextDeadline() == nil)
    }

    /// A timer that was waited for is one that an advance reaches.
    @Test func whatWasWaitedForIsReached() async throws {
        let loop = try Loop.manual()
        let asked = Gate()
        let isOver = Shared(false)
        let thread = TestThread {
            for round in 1... {
                guard asked.isOpened(times: round, seconds: 60), !isOver.value else { return }
                loop.schedule(after: .seconds(1)) {}
            }
        }
        for _ in 0..<Machine.scaled(50_000) {
            asked.open()
            try await loop.waitForPending()
            #expect(moveToNext(loop))
        }
        isOver.value = true
        asked.open()
        thread.join()
    }

    /// A timer that never comes is reported.
    @Test func whatIsNeverPendingIsReported() async throws {
        let loop = try Loop.manual()
        loop.schedule(after: .seconds(1)) {}
        try await loop.waitForPending(1)
        let error = await #expect(throws: SwivelError.self) {
            try await loop.waitForPending(2, patience: .milliseconds(10))
        }
        #expect(error?.code == .timedOut && error?.message.contains("due in 1.0 seconds") == true)
    }

    /// A repeat has no end for tasks either.
    @Test func aRepeatIsNeverIdle() async throws {
        let loop = try Loop.manual()
        loop.schedule(every: .seconds(1)) {}
        await #expect(throws: NeverIdle.self) { try await loop.runUntilIdle(limit: 10) }
        #expect(loop.elapsedTime == .seconds(10))
    }
}

/// As a test without tasks does it: the other form would wait for work on its way.
private func moveToNext(_ loop: Loop) -> Bool { loop.advanceToNextDeadline() != nil }
