// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTesting
import Testing

@Suite struct PendingTests {
    /// The timers that wait, in the order in which they will fire.
    @Test func pendingTimersAreListedInOrder() throws {
        let loop = try Loop.manual()
        let start = loop.now
        let timer = LoopTimer(on: loop) {}
        timer.arm(after: .seconds(4))
        let one = loop.schedule(after: .seconds(5)) {}
        loop.schedule(every: .seconds(2)) {}
        loop.schedule(everyAfterCompletion: .seconds(3)) {}
        loop.schedule(after: .zero) {}
        #expect(loop.pendingPosts > 0)
        #expect(loop.pending.first?.deadline == nil)
        loop.advance(by: .zero)
        let pending = loop.pending
        #expect(loop.pendingPosts == 0)
        #expect(
            pending.map(\.kind) == [
                .every(.seconds(2)), .afterCompletion(.seconds(3)), .rearmable, .once,
            ])
        #expect(
            pending.map(\.deadline) == [2, 3, 4, 5].map { start.advanced(by: .seconds($0)) })
        #expect(pending.last?.handle == one)
        #expect(pending.last?.description.hasPrefix("once, due in 5.0 seconds") == true)
    }

    /// A timer that was cancelled, or has fired, is not listed.
    @Test func whatIsOverIsNotListed() throws {
        let loop = try Loop.manual()
        let timers = (1...3).map { loop.schedule(after: .seconds($0)) {} }
        timers[1].cancel()
        #expect(loop.pending.map(\.handle) == [timers[0], timers[2]])
        loop.advance(by: .seconds(1))
        #expect(loop.pending.map(\.handle) == [timers[2]])
        loop.schedule(at: .never) {}
        #expect(loop.pending.last?.description.hasPrefix("once, never due") == true)
        loop.shutdown()
        #expect(loop.pending.isEmpty)
    }

    /// Thousands of them, over several chunks of nodes.
    @Test func manyTimersAreListed() throws {
        let loop = try Loop.manual()
        for number in (0..<10_000).reversed() {
            loop.schedule(after: .milliseconds(1 + number)) {}
        }
        let deadlines = loop.pending.compactMap(\.deadline)
        #expect(deadlines.count == 10_000 && deadlines == deadlines.sorted())
        loop.advance(by: .milliseconds(5000))
        #expect(loop.pending.count == 5000)
    }
}
