// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// S1 on a manual loop: a drain moves its time, and does what one of a real loop does.
@Suite(.offPool) struct VirtualDrainTests {
    private let probe = Probe()

    /// Whatever real and manual loops share.
    @Test(arguments: [true, false])
    func oneShotsWithinTheLimitRun(manual: Bool) throws {
        let loop = manual ? try manualLoop() : try Loop.embedded()
        let order = Shared<[Int]>()
        for delay in [30, 5, 12] {
            loop.schedule(after: .milliseconds(delay), probe.work { order.append(delay) })
        }
        let probe = probe
        loop.schedule(
            after: .milliseconds(6),
            probe.work {
                loop.schedule(
                    after: .milliseconds(3),
                    probe.work {
                        order.append(9)
                        loop.execute(probe.work { order.append(10) })
                    })
                loop.schedule(after: .hours(2), probe.work { order.append(-2) })
            })
        loop.schedule(after: .hours(1), probe.work { order.append(-1) })
        loop.schedule(every: .milliseconds(1), probe.work { order.append(-3) })
        loop.execute(probe.work { order.append(0) })
        let report = loop.shutdown(.drain(within: .seconds(60)))
        // On a machine that is busy, what a late closure schedules comes late.
        #expect((manual ? order.value : order.value.sorted()) == [0, 5, 9, 10, 12, 30])
        #expect(report.ran == 7 && report.cancelledTimers == 3 && report.cancelledPosts == 0)
        #expect(report.isComplete && probe.live == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func aDrainOfNothingRunsAcceptedPosts(limit: Duration) throws {
        let loop = try manualLoop(turnBudget: .init(count: 3))
        for _ in 0..<100 { loop.execute(probe.work()) }
        loop.schedule(after: .zero, probe.work())
        loop.schedule(after: .milliseconds(1), probe.work())
        let report = loop.shutdown(.drain(within: limit))
        #expect(report.ran == 101 && report.cancelledTimers == 1 && report.cancelledPosts == 0)
    }

    /// Time that a closure lets pass counts.
    @Test func timeThatAClosureLetsPassCounts() throws {
        let loop = try manualLoop()
        let fired = Shared<[Int]>()
        loop.schedule(after: .milliseconds(10)) {
            fired.append(loop.elapsed)
            loop.advance(by: .milliseconds(80))
        }
        loop.schedule(after: .milliseconds(60)) { fired.append(loop.elapsed) }
        loop.schedule(after: .milliseconds(95)) { fired.append(loop.elapsed) }
        loop.schedule(after: .milliseconds(120)) { fired.append(loop.elapsed) }
        let report = loop.shutdown(.drain(within: .milliseconds(100)))
        #expect(fired.value == [10, 90, 95])
        #expect(report.cancelledTimers == 1)
    }

    /// Posts and timers that renew themselves end at the limit, as those of a real loop do.
    @Test(arguments: [true, false])
    func whatRenewsItselfEndsAtTheLimit(posts: Bool) throws {
        let loop = try manualLoop()
        let rounds = Shared(0)
        let again = Shared<(@Sendable () -> Void)?>(nil)
        again.value = {
            rounds.add()
            if posts {
                loop.execute { again.value?() }
            } else {
                loop.schedule(after: .milliseconds(1)) { again.value?() }
            }
        }
        again.value?()
        let late = Shared(0)
        loop.schedule(after: .milliseconds(19)) { late.value = loop.elapsed }
        let report = loop.shutdown(.drain(within: .milliseconds(20)))
        #expect(late.value == 19)
        #expect(report.ran == rounds.value)
        #expect(report.cancelled == 1)
        if !posts { #expect(rounds.value == 21) }
        again.value = nil
    }
}
