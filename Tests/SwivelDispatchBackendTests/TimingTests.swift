// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatchBackend
import SwivelTestSupport
import Testing

/// Effects that only the real clock shows: closures that take longer than their interval on
/// Dispatch's own timers. Nothing here is about how late something is.
@Suite(.offPool) struct TimingTests {
    private let queue = DispatchQueue(label: "test.timing")
    private let probe = Probe()
    private var context: DispatchBackend { DispatchBackend(queue) }

    @Test func t4ASlowClosureGetsMissedTicksAndNeverOverlapsItself() {
        let wide = DispatchBackend(DispatchQueue(label: "test.wide", attributes: .concurrent))
        let inside = Shared(0)
        let missed = Shared(0)
        let timer = wide.schedule(
            every: .microseconds(100),
            probe.work { (tick: Tick) in
                #expect(
                    inside.update { count in
                        count += 1; return count
                    } == 1)
                missed.update { $0 += tick.missed }
                keepBusy(for: .milliseconds(1))
                inside.update { $0 -= 1 }
            })
        probe.waitForRuns(20)
        timer.cancel()
        probe.waitForReleases()
        #expect(missed.value > 20)
    }

    @Test func c6ADueTimerOfASuspendedQueueIsCancelled() {
        queue.suspend()
        let timers = [
            context.schedule(after: .microseconds(1), probe.work()),
            context.schedule(after: .zero, probe.work()),
            context.schedule(every: .microseconds(1), probe.work()),
        ]
        keepBusy(for: .milliseconds(2))
        #expect(timers.allSatisfy { $0.cancel() == .cancelled })
        #expect(probe.released == 3)
        queue.resume()
        queue.sync {}
        #expect(probe.ran == 0)
    }
}

/// Returns when so much time has passed.
private func keepBusy(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
}
