// SPDX-License-Identifier: Apache-2.0
/// Times the firing of timers that were all armed beforehand: one procedure for every side.
package struct Firing {
    /// How long after the start of arming the first timer is due. It has to be longer than arming
    /// takes; where it turns out not to be, the whole measurement is made again with twice as much.
    private var lead: UInt64

    package init(lead: UInt64) { self.lead = lead }

    /// The steps of a side: `arm` arms every timer, of which none may be due before the lead
    /// (nanoseconds from now) is over; `block` keeps the loop or queue from running anything until the
    /// instant, and returns at once; `close` cancels what is left and closes the loop or queue.
    package typealias Steps = (
        arm: (_ lead: UInt64) throws -> Countdown, block: ((_ until: UInt64) -> Void)?,
        close: () throws -> Void
    )

    /// Arms, waits for calm, lets everything fire and closes.
    ///
    /// - Parameters:
    ///   - range: how many nanoseconds lie between the first and the last deadline.
    ///   - steps: makes the steps anew for each attempt.
    /// - Returns: the firing alone: elapsed time from the end of the block, or from the first
    ///   deadline without one; CPU from the end of arming until everything is calm again.
    package mutating func time(range: UInt64, _ steps: () throws -> Steps) throws -> (Span, Int) {
        for _ in 0..<6 {
            let attempt = try steps()
            let start = Clocks.wall()
            let countdown = try attempt.arm(lead)
            let cpu = Settle.untilIdle()
            let first = start + lead
            guard Clocks.wall() + 1_000_000 < first else {
                // On a busy machine: the timers are let fire before the end, as in a good attempt.
                countdown.wait()
                try attempt.close()
                lead *= 2
                continue
            }
            let end = first + range + 2_000_000
            attempt.block?(end)
            countdown.wait()
            let span = Span(
                wall: Clocks.elapsed(
                    from: attempt.block == nil ? first : end, to: countdown.wallAtGoal),
                cpu: Clocks.elapsed(from: cpu, to: Settle.untilIdle()))
            try attempt.close()
            return (span, countdown.hits)
        }
        throw TooBusy(description: "arming took longer than \(lead / 1_000_000) ms")
    }
}
