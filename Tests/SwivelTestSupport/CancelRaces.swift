// SPDX-License-Identifier: Apache-2.0
package import Dispatch
package import SwivelCore
import Testing

/// Cancels timers about when they fire on `queue`, and checks that each race has one winner.
///
/// `arm` arms the timer of a round with work of `probe`, due some microseconds later.
package func checkCancelRaces(
    on queue: DispatchQueue, _ probe: Probe, rounds: Int, checks: Int,
    _ arm: (_ round: Int) -> TimerHandle
) {
    var cancelled = 0
    for round in 0..<rounds {
        let timer = arm(round)
        for _ in 0..<(round % 40) * checks { _ = timer.isPending }
        if timer.cancel() == .cancelled { cancelled += 1 }
    }
    probe.waitForReleases(rounds)
    queue.sync {}
    #expect(probe.ran + cancelled == rounds)
    #expect(probe.released == rounds)
}
