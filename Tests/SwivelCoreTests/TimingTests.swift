// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Behaviour that only the real clock shows. No test here asks how late something is.
@Suite(.offPool) struct TimingTests {
    /// T8: equal delays fire in the order of their calls, and the time read in between agrees.
    @Test func equalDelaysFireInTheOrderOfTheirCalls() throws {
        let loop = try threadedLoop()
        let count = Machine.scaled(200_000, by: 5)
        let delay = Duration.milliseconds(50)
        for _ in 0..<Machine.scaled(10, by: 5) {
            let order = InOrder(count)
            loop.onThread {
                var before = loop.now
                for number in 0..<count {
                    switch number % 3 {
                    case 0: loop.schedule(after: delay) { order.run(number) }
                    case 1: loop.schedule(at: loop.now + delay) { order.run(number) }
                    default: loop.schedule(after: delay, leeway: .zero) { order.run(number) }
                    }
                    let now = loop.now
                    if now < before { order.isBroken.value = true }
                    before = now
                }
            }
            order.ended.wait()
            #expect(!order.isBroken.value)
        }
        loop.shutdown()
    }

    /// T2, T8: a delay that has passed when the next call is made is a delay, whatever it starts.
    @Test(arguments: [true, false]) func theShortestDelaysFireInTheOrderOfTheirCalls(inside: Bool)
        throws
    {
        let loop = try threadedLoop()
        for _ in 0..<Machine.scaled(200, by: 5) {
            let order = InOrder(4)
            let calls: @Sendable () -> Void = {
                loop.schedule(after: .nanoseconds(1)) { order.run(0) }
                loop.schedule(every: .hours(1), startingAfter: .nanoseconds(1)) { tick in
                    tick.cancel()
                    order.run(1)
                }
                loop.schedule(everyAfterCompletion: .nanoseconds(1)) { tick in
                    tick.cancel()
                    order.run(2)
                }
                loop.schedule(after: .nanoseconds(1)) { order.run(3) }
            }
            if inside { loop.onThread(calls) } else { calls() }
            order.ended.wait()
            #expect(!order.isBroken.value)
        }
        loop.shutdown()
    }

    /// T5, T8: what the loop's own clock calls now has come, and is a post in order with the others.
    @Test func nowIsAPostInOrder() throws {
        let loop = try threadedLoop()
        let count = Machine.scaled(30_000)
        let order = InOrder(count)
        loop.execute {
            for number in 0..<count {
                switch number % 3 {
                case 0: loop.execute { order.run(number) }
                case 1: loop.schedule(at: loop.now) { order.run(number) }
                default: loop.schedule(at: .now) { order.run(number) }
                }
            }
        }
        order.ended.wait()
        #expect(!order.isBroken.value)
        loop.shutdown()
    }

    /// T8: what counts is the thread that reads the time, not the loop.
    @Test func theTimeThatAThreadReadsNeverGoesBack() throws {
        let outer = try Loop.embedded()
        let inner = try Loop.embedded()
        let virtual = try manualLoop()
        let readings = Shared<[LoopClock.Instant]>()
        let read: @Sendable () -> Void = {
            readings.update { $0 += [outer.now, inner.now, LoopClock().now] }
        }
        for _ in 0..<Machine.scaled(2_000) {
            read()
            outer.execute {
                read()
                inner.execute {
                    // Far enough from its anchor to be ahead.
                    busy(for: .microseconds(3))
                    read()
                }
                inner.runOnce(.noWait)
                virtual.execute { readings.update { $0 += [outer.now, inner.now] } }
                virtual.runDue()
                busy(for: .microseconds(3))
                read()
            }
            outer.runOnce(.noWait)
        }
        let all = readings.value
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 <= $1 })
        outer.shutdown()
        inner.shutdown()
    }
}

/// Closures with numbers that are to run in order, on one loop.
private final class InOrder: Sendable {
    private let count: Int
    private let next = Counter()
    let isBroken = Shared(false)
    let ended = Gate()

    init(_ count: Int) { self.count = count }

    func run(_ number: Int) {
        if next.add() != number + 1 { isBroken.value = true }
        if next.value == count { ended.open() }
    }
}
