// SPDX-License-Identifier: Apache-2.0

/// A series of calls in one word, so that one compare-and-swap decides about all of it: whether its
/// run is pending, its number, and the instant of its first call.
///
/// Numbers repeat after 128 series, instants after two years. Both together tell a series that is
/// over from a later one: to be confused they would have to begin at the same nanosecond.
struct CoalescerSeries: Equatable {
    let bits: UInt64

    private static let isPendingBit: UInt64 = 1 << 63
    private static let numberShift: UInt64 = 56
    private static let numberMask: UInt64 = 0x7F << numberShift
    private static let instantMask: UInt64 = 1 << numberShift - 1

    init(bits: UInt64) {
        self.bits = bits
    }

    /// Before the first one.
    static let none = CoalescerSeries(bits: 0)

    var isPending: Bool { bits & Self.isPendingBit != 0 }

    /// The series whose first call comes now.
    func next(beginning now: UInt64) -> CoalescerSeries {
        let number = (bits &+ 1 << Self.numberShift) & Self.numberMask
        return CoalescerSeries(bits: Self.isPendingBit | number | (now & Self.instantMask))
    }

    /// The same series once its run has started, or never will.
    var over: CoalescerSeries { CoalescerSeries(bits: bits & ~Self.isPendingBit) }

    /// The instant `delay` after its first call. Saturates.
    func limit(_ delay: UInt64, now: UInt64) -> UInt64 {
        // The clocks of two threads may differ a little: a first call may come after `now`.
        let unused = 64 - Self.numberShift
        let age = Int64(bitPattern: (now &- bits) << unused) >> unused
        let (limit, overflow) = (now &- UInt64(bitPattern: age)).addingReportingOverflow(delay)
        return overflow ? .max : limit
    }
}
