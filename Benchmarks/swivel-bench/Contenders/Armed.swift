// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Swivel

/// Timers armed on a fresh loop, or queue, and left to fire.
enum Armed {
    /// `offsets[i]` nanoseconds after a common start, timer `i` fires. With `blocked` the loop is
    /// kept busy until all are due.
    ///
    /// - Parameter lead: nanoseconds that arming all of them may take.
    static func fire<Context: Contender>(
        _: Context.Type, offsets: [Int], leeway: Duration, blocked: Bool, lead: UInt64
    ) throws -> Measurement {
        var measurement = Measurement()
        var firing = Firing(lead: lead)
        let (span, fired) = try firing.time(range: UInt64(offsets.max() ?? 0)) {
            let field = try Field<Context>(outstanding: 1_000)
            let countdown = Countdown(offsets.count)
            return Firing.Steps(
                arm: { lead in
                    field.turns.run {
                        let start = Clocks.wall() + lead
                        for offset in offsets {
                            let deadline = LoopClock.Instant(
                                nanoseconds: start + UInt64(offset))
                            _ = field.context.at(deadline, leeway: leeway) { countdown.hit() }
                        }
                    }
                    return countdown
                },
                block: blocked
                    ? { instant in field.context.post { Clocks.pause(until: instant) } } : nil,
                close: { try field.close(&measurement) })
        }
        measurement[.wall] = Double(span.wall) / Double(offsets.count)
        measurement[.cpu] = Double(span.cpu) / Double(offsets.count)
        try measurement.check("fired", fired, is: offsets.count)
        return measurement
    }

    /// The first guess at how long arming takes on each side; it is doubled if it is too short.
    static func lead(_ name: String, count: Int) -> UInt64 {
        30_000_000 + UInt64(count) * (name == Loop.sideName ? 500 : 6_000)
    }
}
