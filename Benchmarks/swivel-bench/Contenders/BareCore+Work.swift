// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import CSwivel
internal import Dispatch
internal import Rivals

/// The work of the scenarios, in functions of C's interface alone.
extension BareCore {
    static func side(
        _ metrics: [Metric], _ measure: @escaping @Sendable () throws -> Measurement
    ) -> Side {
        Side(Yardstick.core, metrics, reason: reason, measure: measure)
    }

    static func pairs(outstanding: Int, turns: Int) throws -> Measurement {
        let core = try BareCore(outstanding: outstanding)
        let (fired, cancelled) = (Tally(), Tally())
        let work = adding(to: fired)
        let span = core.turns.time(warmUp: 1, turns: turns) { turn in
            let first = turn * Turns.operations
            var count = 0
            for index in first..<(first + Turns.operations)
            where swivel_cancel(core.arm(index, work)) == SWIVEL_CANCELLED {
                count += 1
            }
            cancelled.cell.pointee += count
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        try measurement.check("cancelled", cancelled.value, is: (turns + 1) * Turns.operations)
        try measurement.check("fired", fired.value, is: 0)
        try core.close(&measurement)
        return measurement
    }

    static func churn(
        outstanding: Int, warmUp: Int, turns: Int, picks: Picks
    ) throws -> Measurement {
        let core = try BareCore(outstanding: outstanding)
        let (replaced, work) = (Tally(), core.counting)
        let span = core.turns.time(warmUp: warmUp, turns: turns) { turn in
            let first = turn * Turns.operations
            for index in first..<(first + Turns.operations) {
                let place = Int(picks.indices[index & picks.mask])
                if swivel_cancel(core.handles[place]) == SWIVEL_CANCELLED {
                    replaced.cell.pointee += 1
                }
                core.handles[place] = core.arm(index, work)
            }
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        // One that had fired was not there to be cancelled; it still got a successor.
        let all = (turns + warmUp) * Turns.operations
        try core.close(&measurement, added: all - replaced.value)
        return measurement
    }

    /// Timers that are all due before any may fire.
    static func burst(offsets: [Int]) throws -> Measurement {
        var measurement = Measurement()
        var firing = Firing(lead: 30_000_000 + UInt64(offsets.count) * 500)
        let (span, fired) = try firing.time(range: UInt64(offsets.max() ?? 0)) {
            let core = try BareCore(outstanding: 1_000)
            let countdown = Countdown(offsets.count)
            let work = hitting(countdown)
            return Firing.Steps(
                arm: { lead in
                    core.turns.run {
                        let start = Clocks.wall() + lead
                        for offset in offsets {
                            _ = swivel_schedule_at(core.loop, start + UInt64(offset), 0, work)
                        }
                    }
                    return countdown
                },
                block: { instant in core.post { Clocks.pause(until: instant) } },
                close: { try core.close(&measurement) })
        }
        measurement[.wall] = Double(span.wall) / Double(offsets.count)
        measurement[.cpu] = Double(span.cpu) / Double(offsets.count)
        try measurement.check("fired", fired, is: offsets.count)
        return measurement
    }

    private static func hitting(_ countdown: Countdown) -> swivel_work {
        swivel_call(
            { argument in
                guard let argument else { return }
                Unmanaged<Countdown>.fromOpaque(argument)._withUnsafeGuaranteedRef { $0.hit() }
            }, Unmanaged.passUnretained(countdown).toOpaque())
    }

    static func intervals(_ shape: IntervalShape, leeway: Int) throws -> Measurement {
        var closing = Measurement()
        return try shape.measure(lead: 30_000_000 + UInt64(shape.count) * 1_000) {
            let core = try BareCore()
            let handles = Kept<swivel_timer>(shape.count)
            return IntervalShape.Steps(
                arm: { begin, places in
                    core.turns.run { core.tick(shape, leeway, begin, places, handles) }
                },
                close: {
                    let cancelled = Tally()
                    core.turns.run {
                        handles.forEach {
                            if swivel_cancel($0) == SWIVEL_CANCELLED { cancelled.cell.pointee += 1 }
                        }
                    }
                    try closing.check("cancelled", cancelled.value, is: shape.count)
                    try core.close(&closing)
                })
        }
    }

    private func tick(
        _ shape: IntervalShape, _ leeway: Int, _ begin: UInt64, _ places: Places,
        _ handles: Kept<swivel_timer>
    ) {
        for index in 0..<shape.count {
            var grid = swivel_grid()
            grid.first_ns = begin + UInt64(shape.phase(index))
            grid.interval_ns = UInt64(shape.interval)
            let work = swivel_call(
                { $0?.assumingMemoryBound(to: UInt32.self).pointee &+= 1 }, places.cells + index)
            handles.append(swivel_schedule_every(loop, &grid, UInt64(leeway), work))
        }
    }

    /// The captures of a closure in C: a record on the heap, which the function frees.
    private struct Record {
        let sum: UnsafeMutablePointer<Int>
        let number: Int
    }

    static func posts(
        producers: Int, each: Int, capturing: Bool
    ) throws -> Measurement {
        let core = try BareCore()
        let (sum, last) = (Tally(), DispatchSemaphore(value: 0))
        _ = PlainCount.take()
        let span = Producers.time(producers) { _ in
            for index in 0..<each { core.post(adding: capturing ? (sum, index) : nil) }
            core.turns.run {}
            last.signal()
        } drained: {
            for _ in 0..<producers { last.wait() }
        }
        var measurement = Measurement(span, operations: producers * each)
        try measurement.checkPosts(sum, producers: producers, each: each, capturing: capturing)
        try core.close(&measurement)
        return measurement
    }

    @inline(__always)
    private func post(adding captured: (Tally, Int)?) {
        guard let (tally, number) = captured else {
            _ = swivel_post(loop, swivel_call({ _ in PlainCount.raise() }, nil))
            return
        }
        let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        record.initialize(to: Record(sum: tally.cell, number: number))
        let work = swivel_call(
            { argument in
                guard let record = argument?.assumingMemoryBound(to: Record.self) else { return }
                record.pointee.sum.pointee &+= record.pointee.number
                record.deallocate()
            }, record)
        _ = swivel_post(loop, work)
    }
}
