// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// Counters of a loop that runs no turn while other threads see to its timers.
@Suite struct CountersTests {
    /// On the loop's own thread a cancelled one-shot is gone at once.
    @Test func aTimerThatItsOwnLoopCancelsIsNotPending() throws {
        let loop = try TestLoop(SWIVEL_MANUAL)
        let timers = (0..<3).map { _ in Cell() }
        let closure = Cell {
            for timer in timers {
                let handle = loop.schedule(after: 1_000_000, timer)
                #expect(swivel_cancel(handle) == SWIVEL_CANCELLED)
                #expect(swivel_cancel(handle) == SWIVEL_FINISHED)
            }
        }
        loop.post(closure)
        loop.advance(by: 1)
        #expect(closure.ran == 1)
        #expect(timers.allSatisfy { $0.released == 1 && $0.ran == 0 })
        #expect(loop.counters.pending == 0 && loop.counters.cancelled == 3)
    }
}
