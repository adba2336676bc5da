// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
@testable import SwivelDispatchBackend
import SwivelTestSupport
import Testing

/// Repeating timers on Dispatch alone.
@Suite(.offPool) struct DispatchBackendRepeatTests {
    private let queue = DispatchQueue(label: "test.repeat")
    private let probe = Probe()
    private var context: DispatchBackend { DispatchBackend(queue) }

    @Test(arguments: [MissedTicks.skip, .delay, .burst])
    func t3EachTickBelongsToAnInstantOfTheGrid(_ missed: MissedTicks) {
        let ticks = Shared<[Tick]>([])
        let timer = context.schedule(
            every: .milliseconds(1), startingAfter: .milliseconds(3), missed: missed,
            probe.work { tick in ticks.update { $0.append(tick) } })
        probe.waitForRuns(20)
        timer.cancel()
        probe.waitForReleases()
        let all = ticks.value
        #expect(all[0].index == (missed == .skip ? all[0].missed : 0))
        for (one, next) in zip(all, all.dropFirst()) {
            #expect(next.index > one.index)
            if missed != .delay {
                let steps = next.index - one.index
                #expect(next.scheduled - one.scheduled == .milliseconds(steps))
                #expect(next.missed == steps - 1)
            } else if one.missed == 0 {
                #expect(next.scheduled - one.scheduled == .milliseconds(1))
            }
            #expect(next.lateness >= .zero)
            #expect(next.handle == timer)
        }
    }

    @Test(arguments: [MissedTicks.skip, .burst])
    func c1ATickThatCancelsIsTheLastAndTheClosureGoesWithIt(_ missed: MissedTicks) {
        let timer = context.schedule(
            every: .microseconds(500), missed: missed,
            probe.work { (tick: Tick) in
                if probe.ran == 3 {
                    tick.cancel()
                    #expect(!tick.handle.isPending)
                    #expect(!tick.handle.rearm(after: .zero))
                    #expect(tick.handle.cancel() == .running)
                    #expect(probe.released == 0)
                }
            })
        probe.waitForReleases()
        queue.sync {}
        #expect(probe.ran == 3)
        #expect(timer.cancel() == .finished)
    }
}
