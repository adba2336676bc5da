// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

/// Nanoseconds of a `Duration` against plain 128-bit division.
@Suite struct AttosecondsTests {
    private func nanoseconds(_ attoseconds: Int128) -> UInt64 {
        swivel__attoseconds_to_ns(
            Int64(truncatingIfNeeded: attoseconds >> 64), UInt64(truncatingIfNeeded: attoseconds))
    }

    /// Rounded up and saturated.
    private func expected(_ attoseconds: Int128) -> UInt64 {
        guard attoseconds > 0 else { return 0 }
        let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let rounded = quotient + (remainder == 0 ? 0 : 1)
        return rounded > Int128(UInt64.max) ? .max : UInt64(rounded)
    }

    private static let edges: [Int128] = {
        let giga: Int128 = 1_000_000_000
        var edges: [Int128] = [0, 1, giga - 1, giga, giga + 1, .max]
        for bit in 0..<127 {
            let power = Int128(1) << Int128(bit)
            edges += [power - 1, power, power + 1]
            if bit < 126 { edges.append(power + giga - 1) }
        }
        let last = Int128(UInt64.max) * giga
        edges += [last - giga, last - 1, last, last + 1, last + giga]
        return edges
    }()

    @Test func edgesAreExactOrSaturated() {
        for attoseconds in Self.edges {
            #expect(nanoseconds(attoseconds) == expected(attoseconds), "\(attoseconds) as")
        }
    }

    @Test func negativeDurationsAreZero() {
        for attoseconds in [-1, -1_000_000_000, .min, Int128(Int64.min)] as [Int128] {
            #expect(nanoseconds(attoseconds) == 0)
        }
    }

    @Test func durationsOfWholeNanosecondsAreExact() {
        for nanoseconds in [1, 2, 999, 1_000_000, 1 << 40, 1 << 62, .max] as [UInt64] {
            #expect(self.nanoseconds(Int128(nanoseconds) * 1_000_000_000) == nanoseconds)
        }
    }

    @Test func randomDurationsAgreeWithDivision() {
        let seed = announcedSeed("AttosecondsTests")
        var random = SeededRandom(seed: seed)
        for _ in 0..<200_000 {
            let wide = UInt128(random.next()) << 64 | UInt128(random.next())
            let attoseconds = Int128(wide >> UInt128(1 + random.below(127 as UInt64)))
            guard nanoseconds(attoseconds) == expected(attoseconds) else {
                Issue.record("seed \(seed): \(attoseconds) as is \(nanoseconds(attoseconds)) ns")
                return
            }
        }
    }
}
