// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// T9: leeway counts for half an interval at most, on whichever context the ticks run.
@Suite struct RepeatLeewayTests {
    @Test(
        arguments: [SWIVEL_MISSED_SKIP, SWIVEL_MISSED_DELAY, SWIVEL_MISSED_BURST].map(\.rawValue))
    func aForeignRepeatLosesNoTick(_ missed: UInt32) throws {
        let loop = try TestLoop(SWIVEL_MANUAL)
        let queue = swivel_foreign_make(false)
        defer { swivel_foreign_free(queue) }
        let cell = Cell()
        var grid = swivel_grid()
        grid.first_ns = 1_000
        grid.interval_ns = 1_000
        grid.missed = swivel_missed(rawValue: missed)
        let timer = swivel_foreign_schedule(queue, loop.record, 0, 5_000, &grid, cell.work)
        for count in 1...100 as ClosedRange<UInt64> {
            loop.advance(to: count * 1_000 + 500)
            #expect(swivel_foreign_serve(queue))
            #expect(swivel_foreign_waiting(queue) == 0)
        }
        #expect(cell.ticks == 100)
        #expect(loop.counters.missed == 0)
        swivel_cancel(timer)
        loop.shutdown()
    }
}
