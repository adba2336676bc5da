// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// Counters of a loop that runs no turn while other threads see to its timers.
@Suite struct CountersTests {
    /// How a timer ends whose closure runs on another context.
    enum End: CaseIterable, Sendable {
        case hasRun, isCancelledBefore, isCancelledWhenHanded, isCancelledWhileUnderWay, isDropped
    }

    @Test(arguments: End.allCases, [false, true])
    func whatEndsElsewhereIsNotPending(_ end: End, repeats: Bool) throws {
        guard repeats || end != .isCancelledWhileUnderWay else { return }
        guard !repeats || end != .hasRun else { return }
        let loop = try TestLoop(SWIVEL_MANUAL)
        let queue = swivel_foreign_make(false)
        defer { swivel_foreign_free(queue) }
        let cell = Cell()
        let timer = loop.schedule(every: 1_000, repeats: repeats, on: queue, cell)
        #expect(loop.counters.pending == 1 && loop.counters.cancelled == 0)
        if end == .isCancelledBefore {
            swivel_cancel(timer)
        } else {
            loop.advance(by: 1_000)
            #expect(swivel_foreign_waiting(queue) == 1)
            #expect(loop.counters.pending == 1)
        }
        switch end {
        case .isCancelledBefore: break
        case .hasRun: #expect(swivel_foreign_serve(queue))
        case .isCancelledWhenHanded: swivel_cancel(timer)
        case .isDropped: #expect(swivel_foreign_drop(queue))
        case .isCancelledWhileUnderWay:
            #expect(swivel_foreign_begin(queue))
            #expect(swivel_cancel(timer) == SWIVEL_RUNNING)
            swivel_foreign_end(queue)
        }
        let cancelled: UInt64 = end == .hasRun ? 0 : 1
        #expect(loop.counters.pending == 0 && loop.counters.cancelled == cancelled)
        loop.advance(by: 1_000)
        #expect(loop.counters.pending == 0 && loop.counters.cancelled == cancelled)
    }

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
