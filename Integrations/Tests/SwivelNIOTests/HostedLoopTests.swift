// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOPosix
import SwivelCore
import Testing

@testable import SwivelNIO

/// The life of a loop that lives on an event loop.
@Suite struct HostedLoopTests {
    @Test func postsOfTheEventLoopRunAfterTheirCaller() throws {
        try withHostedLoop { loop, eventLoop in
            let (order, gate) = (Shared<[String]>([]), Gate())
            eventLoop.execute {
                loop.execute {
                    order.update { $0.append("post") }
                    gate.open()
                }
                loop.schedule(after: .zero) { gate.open() }
                order.update { $0.append("caller") }
            }
            try gate.wait(times: 2)
            #expect(order.value == ["caller", "post"])
        }
    }

    @Test func theEventLoopsOwnWorkRunsBetweenTurns() throws {
        try withHostedLoop { loop, eventLoop in
            let gate = Gate()
            loop.schedule(every: .microseconds(100)) { _ in gate.open() }
            for _ in 0..<50 { try eventLoop.submit {}.wait() }
            try gate.wait(times: 10)
        }
    }

    /// The event loop is held up, so that the turn is queued for certain.
    @Test func aReleasedLoopsQueuedTurnDoesNothing() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (held, hold, released) = (Gate(), Gate(), Gate())
        group.next().execute {
            held.open()
            try? hold.wait()
        }
        try held.wait()
        var loop: Loop? = try Loop.hosted(by: group.next())
        weak let remembered = loop
        loop?.execute { [token = Token(released)] in
            token.touch()
            Issue.record("its loop was released")
        }
        loop?.schedule(after: .zero) { [token = Token(released)] in token.touch() }
        loop = nil
        try released.wait(times: 2)
        #expect(remembered == nil)
        hold.open()
        try group.syncShutdownGracefully()
    }

    @Test func aShutDownLoopsQueuedTurnDoesNothing() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (held, hold) = (Gate(), Gate())
        group.next().execute {
            held.open()
            try? hold.wait()
        }
        try held.wait()
        let loop = try Loop.hosted(by: group.next())
        loop.execute { Issue.record("its loop was shut down") }
        #expect(loop.shutdown().cancelledPosts == 1)
        hold.open()
        try group.next().submit {}.wait()
        try group.syncShutdownGracefully()
    }

    /// The last reference goes in the loop's own closure: it ends with that turn.
    @Test func aLoopMayBeReleasedInItsOwnClosure() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (held, released) = (Gate(), Gate())
        let kept = Shared<Loop?>(try Loop.hosted(by: group.next()))
        kept.value?.schedule(after: .seconds(3600)) { [token = Token(released)] in token.touch() }
        kept.value?.execute {
            kept.value = nil
            held.open()
        }
        try held.wait()
        try released.wait()
        try group.syncShutdownGracefully()
    }

    /// Counts while the event loop is held up, so that no turn begins.
    @Test func aBurstIsOneTaskOfTheEventLoop() throws {
        try withCountingEventLoop { eventLoop in
            let loop = try Loop.hosted(by: eventLoop)
            let (held, hold, ran) = (Gate(), Gate(), Gate())
            eventLoop.execute {
                held.open()
                try? hold.wait()
            }
            try held.wait()
            for _ in 0..<100 {
                loop.execute { ran.open() }
                loop.schedule(after: .seconds(3600)) {}
            }
            #expect(eventLoop.executed == 2)
            hold.open()
            try ran.wait(times: 100)
            loop.shutdown()
        }
    }

    /// Both a post and what `Loop.shared` hears of a descriptor may wake the host.
    @Test func manyWakesAreOneTaskOfTheEventLoop() throws {
        try withCountingEventLoop { eventLoop in
            let host = NIOLoopHost(eventLoop)
            let (held, hold) = (Gate(), Gate())
            eventLoop.execute {
                held.open()
                try? hold.wait()
            }
            try held.wait()
            for _ in 0..<100 { host.wake() }
            #expect(eventLoop.executed == 2)
            hold.open()
            try eventLoop.submit {}.wait()
            let executed = eventLoop.executed
            host.wake()
            #expect(eventLoop.executed == executed + 1)
        }
    }

    @Test func atMostOneCallbackWaits() throws {
        try withCountingEventLoop { eventLoop in
            let loop = try Loop.hosted(by: eventLoop)
            // Each is the earliest: it replaces the one before.
            for minutes in (1...50).reversed() {
                loop.schedule(after: .seconds(60 * minutes)) {}
                try flush(loop, eventLoop)
                #expect(eventLoop.waiting == 1)
            }
            #expect(eventLoop.scheduled == 50)
            // None of these is: they need no other.
            for minutes in 51...100 {
                loop.schedule(after: .seconds(60 * minutes)) {}
                try flush(loop, eventLoop)
            }
            #expect(eventLoop.waiting == 1)
            #expect(eventLoop.scheduled == 50)
            loop.shutdown()
        }
    }

    @Test func aReleasedLoopLeavesNoCallback() throws {
        try withCountingEventLoop { eventLoop in
            for _ in 0..<10 {
                let loop = try Loop.hosted(by: eventLoop)
                loop.schedule(after: .seconds(3600)) {}
                try flush(loop, eventLoop)
                #expect(eventLoop.waiting > 0)
                loop.shutdown()
            }
            // The last turns have let go of their loops, and NIO has heard of the cancels.
            for _ in 0..<3 { try eventLoop.submit {}.wait() }
            #expect(eventLoop.waiting == 0)
        }
    }

    /// NIO prints a message: the event loop has ended.
    @Test func aLoopWhoseEventLoopHasEndedKeepsItsWorkUntilItsShutdown() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (released, ended) = (Gate(), Gate())
        let loop = try Loop.hosted(by: group.next())
        loop.schedule(after: .seconds(3600)) { [token = Token(released)] in token.touch() }
        try loop.onThread {}
        try group.syncShutdownGracefully()
        for _ in 0..<10 {
            let isAccepted = loop.tryExecute { [token = Token(released)] in token.touch() }
            #expect(isAccepted)
        }
        loop.schedule(after: .zero) { [token = Token(released)] in token.touch() }
        let report = Shared<ShutdownReport?>(nil)
        thread(ended) { report.value = loop.shutdown() }
        try ended.wait()
        #expect(report.value?.cancelledPosts == 10)
        #expect(report.value?.cancelledTimers == 2)
        #expect(report.value?.ran == 0)
        try released.wait(times: 12)
    }

    @Test func aDrainAfterTheEventLoopsEndRunsTheWork() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let (ran, ended) = (Gate(), Gate())
        let loop = try Loop.hosted(by: group.next())
        try group.syncShutdownGracefully()
        loop.execute { ran.open() }
        loop.schedule(after: .milliseconds(1)) { ran.open() }
        thread(ended) { loop.shutdown(.drain(within: .seconds(30))) }
        try ended.wait()
        #expect(ran.opened == 2)
    }

    @Test func aDrainBesideTheEventLoopRunsEverythingOnce() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        for _ in 0..<50 {
            let ran = Gate()
            let loop = try Loop.hosted(by: group.next())
            for _ in 0..<20 {
                loop.execute { ran.open() }
                loop.schedule(after: .microseconds(50)) { ran.open() }
            }
            let report = loop.shutdown(.drain(within: .seconds(30)))
            #expect(report.isComplete && report.cancelled == 0)
            #expect(ran.opened == 40)
        }
        try group.syncShutdownGracefully()
    }

    /// Timers, posts and the end of the event loop at once: nothing crashes, and all is accounted
    /// for.
    @Test func anEventLoopMayEndWhileItsLoopWorks() throws {
        for _ in 0..<20 {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let (ended, made, gone) = (Gate(), Shared(0), Gate())
            let loop = try Loop.hosted(by: group.next())
            loop.schedule(every: .microseconds(50)) { _ in }
            thread(ended) {
                for _ in 0..<200 {
                    made.update { $0 += 1 }
                    loop.execute { [token = Token(gone)] in token.touch() }
                }
            }
            try group.syncShutdownGracefully()
            try ended.wait()
            #expect(loop.shutdown().isComplete)
            try gone.wait(times: made.value)
        }
    }

    private func withCountingEventLoop(_ body: (CountingEventLoop) throws -> Void) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { #expect(throws: Never.self) { try group.syncShutdownGracefully() } }
        try body(CountingEventLoop(group.next()))
    }

    /// Waits until the turn has ended that hears of everything so far.
    private func flush(_ loop: Loop, _ eventLoop: any EventLoop) throws {
        try loop.onThread {}
        try eventLoop.submit {}.wait()
    }
}
