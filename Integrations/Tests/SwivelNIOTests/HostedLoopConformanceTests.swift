// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import SwivelCore
import SwivelFutures
import SwivelNIO
import Testing

/// The promises of a loop, for one that lives on an event loop. They are those of Swivel's own
/// ConformanceTests.
@Suite struct HostedLoopConformanceTests {
    @Test func postsOfAThreadRunInOrder() throws {
        try withHostedLoop { loop, _ in
            let (seen, gate) = (Shared<[Int]>([]), Gate())
            for number in 0..<1000 { loop.execute { seen.update { $0.append(number) } } }
            loop.execute { gate.open() }
            try gate.wait()
            #expect(seen.value == Array(0..<1000))
        }
    }

    /// Posts come one by one: each finds the loop asleep.
    @Test func eachPostIsServed() throws {
        try withHostedLoop { loop, eventLoop in
            for _ in 0..<200 {
                let isThere = try loop.onThread {
                    eventLoop.inEventLoop && loop.isCurrent && Loop.current === loop
                }
                #expect(isThere)
            }
            #expect(!loop.isCurrent)
        }
    }

    @Test func timersAreNotEarlyAndInOrder() throws {
        try withHostedLoop { loop, eventLoop in
            let (seen, gate) = (Shared<[Int]>([]), Gate())
            let start = LoopClock.Instant.now
            for number in (1...20).reversed() {
                let deadline = start.advanced(by: .microseconds(700 * number))
                loop.schedule(at: deadline) {
                    #expect(LoopClock.Instant.now >= deadline)
                    #expect(eventLoop.inEventLoop)
                    seen.update { $0.append(number) }
                    gate.open()
                }
            }
            try gate.wait(times: 20)
            #expect(seen.value == Array(1...20))
        }
    }

    /// One after the other: each is armed while the loop sleeps for a later one.
    @Test func anEarlierTimerEndsTheSleep() throws {
        try withHostedLoop { loop, _ in
            let far = loop.schedule(after: .seconds(3600)) { Issue.record("an hour has passed") }
            let gate = Gate()
            for round in 1...30 {
                loop.schedule(after: .microseconds(300)) { gate.open() }
                try gate.wait(times: round)
            }
            #expect(far.cancel() == .cancelled)
        }
    }

    @Test func repeatsTickUntilCancelled() throws {
        try withHostedLoop { loop, _ in
            let (ticks, gate) = (Shared<[Int]>([]), Gate())
            let handle = loop.schedule(every: .microseconds(500), missed: .burst) { tick in
                ticks.update { $0.append(tick.index) }
                if tick.index == 20 { tick.cancel() }
                gate.open()
            }
            try gate.wait(times: 21)
            try loop.onThread {}
            #expect(ticks.value == Array(0...20))
            #expect(handle.cancel() == .finished)
        }
    }

    @Test func timersOfItsOwnClosuresGoOn() throws {
        try withHostedLoop { loop, _ in
            let gate = Gate()
            let (timer, left) = (Shared<LoopTimer?>(nil), Shared(50))
            timer.value = LoopTimer(on: loop) {
                let goesOn = left.update { left in
                    left -= 1
                    return left > 0
                }
                if goesOn { timer.value?.arm(after: .microseconds(100)) }
                gate.open()
            }
            timer.value?.arm(after: .microseconds(100))
            try gate.wait(times: 50)
            timer.value = nil
        }
    }

    @Test func callsCoalesce() throws {
        try withHostedLoop { loop, _ in
            let gate = Gate()
            let saved = Coalescer(on: loop, after: .milliseconds(1)) { gate.open() }
            // In one closure, so that the pause falls behind all of them.
            try loop.onThread { for _ in 0..<100 { saved.call() } }
            loop.once("conformance", after: .milliseconds(1)) { gate.open() }
            try gate.wait(times: 2)
            saved.flush()
            try loop.onThread {}
            #expect(gate.opened == 2)
        }
    }

    @Test func aDescriptorIsHeard() throws {
        try withHostedLoop { loop, eventLoop in
            let (pipe, gate) = (Pipe(), Gate())
            let reading = pipe.fileHandleForReading
            let watch = loop.watch(reading.fileDescriptor) { _ in
                #expect(eventLoop.inEventLoop)
                // One byte, which is there: it does not block.
                _ = try? reading.read(upToCount: 1)
                gate.open()
            }
            for round in 1...50 {
                try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
                try gate.wait(times: round)
            }
            #expect(watch.cancel() != .finished)
            try loop.onThread {}
        }
    }

    @Test func aWaitInAClosurePumps() throws {
        try withHostedLoop { loop, _ in
            let inner = try loop.onThread {
                let promise = Promise<Int, Never>()
                loop.schedule(after: .microseconds(200)) { promise.succeed(7) }
                return try? promise.future.await(timeout: .seconds(60))
            }
            #expect(inner == 7)
        }
    }

    @Test func manyThreadsPost() throws {
        try withHostedLoop { loop, eventLoop in
            let (ran, ended) = (Gate(), Gate())
            for _ in 0..<4 {
                thread(ended) {
                    for number in 0..<1000 {
                        loop.execute {
                            #expect(eventLoop.inEventLoop)
                            ran.open()
                        }
                        if number % 10 == 0 {
                            loop.schedule(after: .microseconds(number % 500)) { ran.open() }
                        }
                    }
                }
            }
            try ended.wait(times: 4)
            try ran.wait(times: 4400)
            try loop.onThread {}
            #expect(ran.opened == 4400)
        }
    }

    /// From its own closure: it closes when that has returned, and accounts for all.
    @Test func aClosureShutsItDown() throws {
        try withHostedLoop { loop, eventLoop in
            let (released, ended) = (Gate(), Gate())
            let token = Token(released)
            loop.schedule(after: .seconds(3600)) { token.touch() }
            loop.execute {
                #expect(!loop.shutdown().isComplete)
                ended.open()
            }
            try ended.wait()
            // The turn has closed the loop before the event loop goes on.
            try eventLoop.submit {}.wait()
            let report = loop.shutdown()
            #expect(report.isComplete)
            #expect(report.cancelledTimers == 1)
            #expect(!loop.tryExecute {})
        }
    }
}
