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

    @Test func smallWindowsGetTheLatestRoundInstant() {
        for deadline in 1...300 as ClosedRange<UInt64> {
            for leeway in 1...130 as ClosedRange<UInt64> {
                let step = Self.step(leeway)
                #expect(
                    swivel__aligned_deadline(deadline, leeway)
                        == (deadline + leeway) / step * step, "\(deadline) + \(leeway)")
            }
        }
    }

    @Test func everyStepIsFound() {
        for bits in 0..<63 {
            for leeway in [1 << bits, (1 << bits) + 1, (1 << bits) * 2 - 1] as [UInt64] {
                let deadline = UInt64.max / 2 - leeway % 1_000_003
                let latest = deadline.addingReportingOverflow(leeway)
                guard !latest.overflow, latest.partialValue != .max else { continue }
                let step = Self.step(leeway)
                #expect(
                    swivel__aligned_deadline(deadline, leeway)
                        == latest.partialValue / step * step, "\(deadline) + \(leeway)")
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

    /// As many wake-ups as the leeway says, for timers of one leeway; and coarse instants are fine ones
    /// too.
    @Test func timersMeet() {
        func instants(_ leeway: UInt64) -> Set<UInt64> {
            Set(
                (0..<10_000).map {
                    swivel__aligned_deadline(7_000_000_000 + $0 * 10_000, leeway)
                })
        }
        let (fine, coarse) = (instants(100_000), instants(1_000_000))
        #expect((1_000...1_001).contains(fine.count))
        #expect((100...101).contains(coarse.count))
        // All but the last, which is beyond the others' range.
        #expect(instants(130_000).subtracting(fine).count <= 1)
        #expect(coarse.subtracting(fine).count <= 1)
        #expect(instants(700_000).intersection(coarse).count >= 100)
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
