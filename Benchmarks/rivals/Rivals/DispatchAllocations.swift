// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

extension DispatchTimers {
    /// Calls to the allocator for pushing a source's deadline about, of all threads.
    package static func allocationsOfReschedule() throws -> Measurement {
        let field = QueueField(outstanding: 100)
        let delays = Delays.far
        let (moved, allocated) = (Tally(), Tally())
        // `nonisolated(unsafe)` because dispatch sources may be used from any thread.
        nonisolated(unsafe) let source = DispatchSource.makeTimerSource(queue: field.queue)
        source.setEventHandler { PlainCount.raise() }
        source.activate()
        let reschedule: @Sendable () -> Void = {
            for index in 0..<Turns.operations {
                let delay = DispatchTimeInterval.nanoseconds(
                    delays.nanoseconds[index & delays.mask])
                source.schedule(deadline: .now() + delay)
                moved.cell.pointee += 1
            }
        }
        field.turns.run(reschedule)
        Settle.untilIdle()
        field.turns.run {
            let mark = AllocationMark()
            reschedule()
            allocated.cell.pointee = mark.end()
        }
        source.cancel()
        field.close()
        var measurement = Measurement()
        measurement[.allocations] = Double(allocated.value) / Double(Turns.operations)
        try measurement.check("rescheduled", moved.value, is: 2 * Turns.operations)
        return measurement
    }
}
