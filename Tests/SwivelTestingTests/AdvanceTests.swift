// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

@Suite struct AdvanceTests {
    /// Each timer runs at its own instant, in the order of deadlines and then of starts.
    @Test func timersRunAtTheirOwnInstants() throws {
        let loop = try Loop.manual()
        let seen = Shared<[String]>()
        loop.schedule(after: .milliseconds(20)) { seen.append("b \(loop.elapsedTime)") }
        loop.schedule(after: .milliseconds(10)) { seen.append("a \(loop.elapsedTime)") }
        loop.schedule(after: .milliseconds(20)) { seen.append("c \(loop.elapsedTime)") }
        loop.advance(by: .seconds(1))
        #expect(seen.value == ["a 0.01 seconds", "b 0.02 seconds", "c 0.02 seconds"])
        #expect(loop.elapsedTime == .seconds(1))
    }

    /// In one of the loop's closures only the clock moves.
    @Test func inAClosureOnlyTheClockMovesToTheNextDeadline() throws {
        let loop = try Loop.manual()
        let line = Timeline(on: loop)
        loop.schedule(after: .seconds(2)) { line.mark("a") }
        loop.execute {
            let start = loop.now
            #expect(loop.advanceToNextDeadline() == start.advanced(by: .seconds(2)))
            #expect(loop.now == start.advanced(by: .seconds(2)))
            line.mark("b")
        }
        loop.advance(by: .seconds(3))
        #expect("\(line)".hasPrefix("--(ba)"), "\(line)")
        loop.execute { #expect(loop.advanceToNextDeadline() == nil) }
        loop.advance(by: .zero)
    }

    /// Work scheduled on the way runs on the way, at its own instant.
    @Test func workScheduledOnTheWayRunsOnTheWay() throws {
        let loop = try Loop.manual()
        let line = Timeline(on: loop)
        loop.schedule(after: .seconds(2)) {
            line.mark("a")
            loop.schedule(after: .seconds(3)) {
                line.mark("b")
                loop.execute { line.mark("c") }
            }
        }
        loop.advance(by: .seconds(6))
        #expect("\(line)" == "--a--(bc)-")
    }

    /// An advance ends where it was to end: what is due a nanosecond later waits.
    @Test func aNanosecondTooEarlyIsTooEarly() throws {
        let loop = try Loop.manual()
        let timer = loop.schedule(after: .seconds(1)) {}
        loop.advance(by: .seconds(1) - .nanoseconds(1))
        #expect(timer.isPending)
        loop.advance(by: .nanoseconds(1))
        #expect(!timer.isPending)
    }

    /// From deadline to deadline, whatever lies between them.
    @Test func theNextDeadlineIsReachedExactly() throws {
        let loop = try Loop.manual()
        let start = loop.now
        // More of them than the wheel examines one by one, in one slot and in far ones.
        for number in 0..<100 {
            loop.schedule(at: start + .seconds(86_400) + .microseconds(number)) {}
        }
        loop.schedule(at: start + .seconds(7)) {}
        loop.schedule(at: .never) {}
        #expect(loop.advanceToNextDeadline() == start + .seconds(7))
        for number in 0..<100 {
            let expected = start + .seconds(86_400) + .microseconds(number)
            #expect(loop.advanceToNextDeadline() == expected && loop.now == expected)
        }
        let end = loop.now
        #expect(loop.advanceToNextDeadline() == nil && loop.now == end)
    }

    /// A loop that is shut down stays where it is.
    @Test func aLoopThatIsOverStandsStill() throws {
        let loop = try Loop.manual()
        loop.shutdown()
        loop.advance(by: .seconds(1))
        #expect(loop.elapsedTime == .zero && loop.advanceToNextDeadline() == nil)
        #expect(try loop.runUntilIdle() == .zero)
    }
}

/// Where many timers share a slot, time comes to the instant of one that was cancelled, and goes on.
@Test func whereNothingFiresIsNoDeadline() throws {
    let loop = try Loop.manual()
    let start = loop.now
    let handles = (0..<100).map { number in
        loop.schedule(at: start + .seconds(10) + .microseconds(number)) {}
    }
    loop.advance(by: .seconds(1))
    for handle in handles[..<7] { handle.cancel() }
    #expect(loop.advanceToNextDeadline() == start + .seconds(10) + .microseconds(7))
    for handle in handles { handle.cancel() }
    #expect(loop.advanceToNextDeadline() == nil)
}

/// An advance that cannot end is reported, and does not hang.
@Suite struct EndlessTests {
    /// A loop with a repeating timer is never idle; the error names the timer.
    @Test func aRepeatIsNeverIdle() throws {
        let loop = try Loop.manual()
        loop.schedule(every: .seconds(1)) {}
        loop.schedule(after: .seconds(3600)) {}
        let error = #expect(throws: NeverIdle.self) { try loop.runUntilIdle(limit: 100) }
        #expect(error?.deadlines == 100)
        #expect(error?.description.contains("every 1.0 seconds, due in 1.0 seconds") == true)
        #expect(error?.pending.map(\.kind) == [.every(.seconds(1)), .once])
    }

    /// Until nothing is left, and the time that took.
    @Test func anIdleLoopStops() throws {
        let loop = try Loop.manual()
        loop.schedule(every: .seconds(1)) { tick in
            if tick.index == 9 { tick.cancel() }
        }
        loop.schedule(at: .never) {}
        #expect(try loop.runUntilIdle() == .seconds(10))
    }

    /// A closure that posts itself forever stops the time, and the program with a reason.
    @Test func aSelfPostingClosureTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let loop = try Loop.manual()
                @Sendable func again() { loop.execute { again() } }
                again()
                loop.advance(by: .seconds(1))
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("makes more work for the same instant"))
    }

    @Test func twoThreadsAtOnceTrap() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let loop = try Loop.manual()
                loop.execute {
                    _ = TestThread { loop.advance(by: .seconds(1)) }
                    Gate().wait()
                }
                loop.advance(by: .seconds(1))
            }
        }
        #expect(printed("is being advanced by another thread", result))
    }

    /// As an error where an error can be thrown.
    @Test func aSelfPostingClosureIsNeverIdle() throws {
        let loop = try Loop.manual()
        @Sendable func again() { loop.execute { again() } }
        again()
        let error = #expect(throws: NeverIdle.self) { try loop.runUntilIdle() }
        #expect(error?.description.contains("1 posts") == true)
    }

    /// A wait inside a closure for what nothing can bring traps.
    @Test func aWaitThatCannotEndTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let loop = try Loop.manual(patience: .milliseconds(50))
                loop.execute {
                    loop.schedule(after: .seconds(1)) {}
                    _ = Latch().wait()
                }
                loop.advance(by: .seconds(2))
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("no timer to which virtual time could move"))
    }

    /// A thread that sends without pause keeps time at one instant for so long, and no longer.
    @Test(arguments: [nil, 7] as [UInt64?])
    func aProducerThatOutrunsTheLoopTraps(seed: UInt64?) async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: standardError
        ) { [seed] in
            try exitTest {
                let loop = try Loop.manual(seed: seed, patience: .milliseconds(300))
                let (sent, ran) = (Counter(), Counter())
                let producer = TestThread {
                    while true {
                        // The loop never gets to the end, however slow this thread is.
                        loop.execute { while sent.value <= ran.value + 10 {} }
                        loop.execute { ran.add() }
                        loop.schedule(after: .milliseconds(1)) {}
                        sent.add()
                    }
                }
                _ = eventually { sent.value > 100 }
                loop.advance(by: .milliseconds(1))
                require(false, "the advance has ended, beside \(producer)")
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("other threads send it more than it can run"))
        #expect(text.contains("posts, timers and cancels in"))
    }

    /// Driving it like a loop with real time traps where that would wait.
    @Test func waitingForVirtualTimeTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let loop = try Loop.manual()
                loop.execute {}
                loop.runOnce(.wait)  // There is something to do.
                loop.schedule(after: .seconds(1)) {}
                loop.runOnce(.wait)  // The timer's arming.
                loop.runOnce(.wait)
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("a manual loop's time stands still"))
        await #expect(processExitsWith: .failure) { try exitTest { try Loop.manual().run() } }
    }

    /// A real loop's time cannot be moved.
    @Test func aRealLoopTraps() async throws {
        await #expect(processExitsWith: .failure) {
            try exitTest { try Loop().advance(by: .seconds(1)) }
        }
        await #expect(processExitsWith: .failure) { try exitTest { _ = try Loop().pending } }
    }
}
