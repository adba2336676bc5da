// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

@Suite struct AlignedDeadlineTests {
    @Test func smallWindowsGetTheRoundestInstant() {
        for deadline in 1...300 as ClosedRange<UInt64> {
            for leeway in 0...130 as ClosedRange<UInt64> {
                let aligned = swivel__aligned_deadline(deadline, leeway)
                let window = deadline...(deadline + leeway)
                let zeros = window.map { $0.trailingZeroBitCount }.max()
                guard leeway > 0 else {
                    #expect(aligned == deadline)
                    continue
                }
                #expect(window.contains(aligned), "\(deadline) + \(leeway): \(aligned)")
                #expect(
                    aligned.trailingZeroBitCount == zeros, "\(deadline) + \(leeway): \(aligned)")
            }
        }
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

    @Test func twoTimersWhoseWindowsShareARoundInstantMeet() {
        // Both windows hold 3 ms in units of 2^20 ns, and nothing rounder.
        let first = swivel__aligned_deadline((3 << 20) - 900_000, 1_000_000)
        let second = swivel__aligned_deadline((3 << 20) - 10, 800_000)
        #expect(first == 3 << 20)
        #expect(second == first)
    }

    @Test func aPostStaysAPostAndNeverStaysNever() {
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
        #expect(aligned == UInt64(1) << 63)
    }
}
