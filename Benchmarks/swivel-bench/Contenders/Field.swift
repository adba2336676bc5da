// SPDX-License-Identifier: Apache-2.0
internal import BenchKit

/// A fresh contender with timers that stand by, and what measures on it.
final class Field<Context: TimerContender>: @unchecked Sendable {
    // `@unchecked` because `handles` is used by closures of the loop or serial queue alone.
    let context: Context
    let turns: Turns
    let outstanding: Int
    /// The timers that stand by, one handle for each.
    let handles: UnsafeMutablePointer<Context.Handle>
    /// How many of the timers that stand by have fired.
    let fired = Tally()

    convenience init(outstanding: Int, delays: Delays = .far) throws {
        self.init(try Context.open(), outstanding: outstanding, delays: delays)
    }

    /// - Parameter age: how old the contender is before anything is measured, in nanoseconds.
    init(
        _ context: Context, outstanding: Int, delays: Delays = .far, age: UInt64 = Context.age
    ) {
        let opened = Clocks.wall()
        self.context = context
        self.outstanding = outstanding
        turns = Turns { context.post($0) }
        handles = .allocate(capacity: max(outstanding, 1))
        turns.run { [self] in
            for index in 0..<outstanding {
                // As heavy as those that take their place: the heap then hands one's memory to the
                // next, as it does for timers of one kind.
                let handle = context.after(delays[index]) { [fired] in
                    fired.cell.pointee &+= index < 0 ? 2 : 1
                }
                (handles + index).initialize(to: handle)
            }
        }
        Clocks.pause(until: opened + age)
    }

    deinit { handles.deallocate() }

    /// Cancels the timers that stand by and ends the loop: each of them was cancelled or had fired,
    /// and nothing else was left. Where it would take seconds to cancel them, the end of the loop
    /// takes them along.
    ///
    /// - Parameter added: how many timers took the place of one that had fired.
    func close(_ measurement: inout Measurement, added: Int = 0) throws {
        let cancelled = Tally()
        let cancels = Context.canCancelAll(outstanding)
        turns.run { [self] in
            for index in 0..<outstanding where cancels {
                if context.cancel(handles[index]) { cancelled.cell.pointee += 1 }
            }
            handles.deinitialize(count: outstanding)
        }
        let firedBefore = fired.value
        Settle.untilIdle()
        if Context.answers {
            try measurement.check(
                "standing by: cancelled or fired", cancelled.value + firedBefore,
                is: outstanding + added)
            // Others may run a timer that they had taken out before its cancel.
            try measurement.check(
                "fired after their cancel", cancels ? fired.value - firedBefore : 0, is: 0)
        }
        try measurement.check("left behind", context.close(), is: 0)
    }
}
