// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

@Suite struct AlignedDeadlineTests {
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
