// SPDX-License-Identifier: Apache-2.0

/// A place in a grid of instants, under the rules that repeat.c has for timers.
struct TickPosition {
    /// The instant of tick `index`.
    var due: UInt64
    var index = 0
    let interval: UInt64
    let missed: MissedTicks

    init(due: UInt64, interval: UInt64, missed: MissedTicks) {
        self.due = due
        self.interval = interval
        self.missed = missed
    }

    /// Takes the next tick at `now`.
    mutating func take(at now: UInt64) -> (index: Int, scheduled: UInt64, missed: Int) {
        let passed = now > due ? (now - due) / interval : 0
        let isSkipping = missed == .skip
        let index = isSkipping ? self.index.saturatingAdd(Int(clamping: passed)) : self.index
        let scheduled = isSkipping ? due + passed * interval : due
        self.index = index.saturatingAdd(1)
        due = (missed == .delay && passed > 0 ? now : scheduled).saturatingAdd(interval)
        return (index, scheduled, missed == .burst ? 0 : Int(clamping: passed))
    }
}

extension FixedWidthInteger {
    /// The sum of two numbers that are not negative, or the largest there is.
    fileprivate func saturatingAdd(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
