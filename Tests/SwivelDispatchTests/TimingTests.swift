// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
@testable import SwivelDispatch
import SwivelTestSupport
import Testing

/// Behaviour that only the real clock shows: closures that take longer than their interval on
/// Dispatch's own threads. No test here asks how late something is.
@Suite(.offPool) struct TimingTests {
    @Test func t4ARepeatOnAConcurrentQueueNeverOverlapsItself() {
        let wide = DispatchQueue(label: "test.wide", attributes: .concurrent)
        let probe = Probe()
        let inside = Shared(0)
        let worst = Shared(0)
        let missed = Shared(0)
        let timer = wide.schedule(
            every: .microseconds(200),
            probe.work { (tick: Tick) in
                let now = inside.update { count in
                    count += 1
                    return count
                }
                worst.update { $0 = max($0, now) }
                missed.update { $0 += tick.missed }
                if tick.index % 4 == 0 { keepBusy(for: .milliseconds(1)) }
                inside.update { $0 -= 1 }
            })
        probe.waitForRuns(50)
        timer.cancel()
        probe.waitForReleases()
        #expect(worst.value == 1)
        #expect(missed.value > 0)
    }

    #if !canImport(Darwin)
    @Test func theKernelsAlarmIsHeardAgainAndAgain() throws {
        // An expiry is heard as a cancellation by a step of the clock is.
        let alarm = try #require(StepAlarm(distance: 1))
        let gate = Gate()
        let source = alarm.watch { gate.open() }
        gate.wait(times: 2)
        source.cancel()
    }
    #endif
}

/// Returns when so much time has passed.
private func keepBusy(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
}
