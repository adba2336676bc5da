// SPDX-License-Identifier: Apache-2.0

internal import CCounters

/// The instructions that the processor has taken, as it counts them itself.
package enum Instructions {
    /// Whether this machine tells. Many virtual machines do not: there the count does not begin, or
    /// stays at zero.
    package static let areCounted: Bool = {
        guard let mark = EventMark(.instructions) else { return false }
        var sum = 0  // Used below, or no compiler would add it up.
        for number in 0..<1_000 { sum &+= Int(bitPattern: UInt(number).byteSwapped) }
        return mark.end() >= (sum == 0 ? 1 : 1_000)
    }()
}

/// A count of all threads that begins and ends at different places.
struct EventMark: @unchecked Sendable {
    // `@unchecked` because any thread may end the count.
    enum Event { case instructions, pageFaults }

    private let counting: OpaquePointer

    /// Begins to count; `nil` where nobody tells.
    init?(_ event: Event) {
        let counted = event == .instructions ? COUNTED_INSTRUCTIONS : COUNTED_PAGE_FAULTS
        guard let counting = counters_begin(counted) else { return nil }
        self.counting = counting
    }

    /// Ends the count, once, and tells it.
    func end() -> Int { Int(counters_end(counting)) }
}
