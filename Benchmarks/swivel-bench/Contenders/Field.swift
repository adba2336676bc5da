// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Swivel

/// A fresh loop, or queue, with timers that stand by, and what measures on it.
final class Field<Context: Contender>: @unchecked Sendable {
    // `@unchecked` because `handles` is used by closures of the loop or serial queue alone.
    let context: Context
    let turns: Turns
    let outstanding: Int
    /// The timers that stand by, one handle for each.
    let handles: UnsafeMutablePointer<TimerHandle>
    /// How old a loop is before anything is measured on it, in nanoseconds: in its first 10 ms it
    /// learns the rate of the processor's counter, which is no matter in the life of a server.
    private static var age: UInt64 { 12_000_000 }
    /// How many of the timers that stand by have fired.
    let fired = Tally()

    convenience init(outstanding: Int) throws {
        self.init(try Context.open(), outstanding: outstanding)
    }

    init(_ context: Context, outstanding: Int) {
        let delays = Delays.far
        self.context = context
        self.outstanding = outstanding
        turns = Turns { context.post($0) }
        handles = .allocate(capacity: max(outstanding, 1))
        turns.run { [self] in
            for index in 0..<outstanding {
                let delay = delays.durations[index & delays.mask]
                let handle = context.after(delay) { [fired] in fired.cell.pointee &+= 1 }
                (handles + index).initialize(to: handle)
            }
        }
        Clocks.pause(Self.age)
    }

    deinit { handles.deallocate() }

    /// Cancels the timers that stand by and ends the loop: each of them was cancelled or had fired,
    /// and nothing else was left.
    ///
    /// - Parameter added: how many timers took the place of one that had fired.
    func close(_ measurement: inout Measurement, added: Int = 0) throws {
        let cancelled = Tally()
        turns.run { [self] in
            for index in 0..<outstanding where handles[index].cancel() == .cancelled {
                cancelled.cell.pointee += 1
            }
        }
        let firedBefore = fired.value
        Settle.untilIdle()
        try measurement.check(
            "standing by: cancelled or fired", cancelled.value + firedBefore,
            is: outstanding + added)
        try measurement.check("fired after their cancel", fired.value - firedBefore, is: 0)
        try measurement.check("left behind", context.close(), is: 0)
    }
}
