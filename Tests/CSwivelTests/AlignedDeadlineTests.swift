// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

@Suite struct AlignedDeadlineTests {
    /// The roundest number that must have a multiple in every such window.
    private static func step(_ leeway: UInt64) -> UInt64 {
        var (best, power) = (1 as UInt64, 1 as UInt64)
        while power <= leeway {
            for step in [1, 2, 5] as [UInt64] where leeway / power >= step {
                best = step * power
            }
            let next = power.multipliedReportingOverflow(by: 10)
            if next.overflow { break }
            power = next.partialValue
        }
        return best
    }

    @Test func randomWindowsAreNeitherEarlyNorTooLate() {
        var random = SeededRandom(seed: announcedSeed("AlignedDeadlineTests"))
        for _ in 0..<200_000 {
            let deadline = random.next() >> random.below(64 as UInt64)
            let leeway = random.next() >> random.below(64 as UInt64)
            let aligned = swivel__aligned_deadline(deadline, leeway)
            let latest = deadline.addingReportingOverflow(leeway)
            guard aligned >= deadline, latest.overflow || aligned <= latest.partialValue else {
                Issue.record("\(deadline) + \(leeway): \(aligned)")
                return
            }
        }
    }

    @Test func aPostStaysAPostAndNeverStaysNever() {
        #expect(swivel__aligned_deadline(5, 0) == 5)
        #expect(swivel__aligned_deadline(0, 1_000_000) == 0)
        #expect(swivel__aligned_deadline(.max, 0) == .max)
        #expect(swivel__aligned_deadline(.max, .max) == .max)
    }

    @Test func aWindowBeyondTheClockEndsBeforeNever() {
        for leeway in [1, 1000, UInt64.max - 1, .max] as [UInt64] {
            let aligned = swivel__aligned_deadline(.max - 1, leeway)
            #expect(aligned == UInt64.max - 1)
        }
        let aligned = swivel__aligned_deadline(1, .max)
        #expect(aligned == 10_000_000_000_000_000_000)
    }
}
