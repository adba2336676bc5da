// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Arithmetic of instants and durations: T6, no wrap.
@Suite struct LoopClockTests {
    private let last = LoopClock.Instant(nanoseconds: .max)
    private let first = LoopClock.Instant(nanoseconds: 0)

    /// T6.
    @Test func sumsAreHeldWithinTheClocksRange() {
        let instant = LoopClock.Instant(nanoseconds: 1_000)
        for enormous in [
            Duration.seconds(Int64.max), Duration(attoseconds: .max), .nanoseconds(UInt64.max),
        ] {
            #expect(instant + enormous == .never)
            #expect(instant - enormous == first)
            #expect(instant.advanced(by: .zero - enormous) == first)
        }
        #expect(instant + Duration(attoseconds: .min) == first)
        #expect(instant - Duration(attoseconds: .min) == .never)
        #expect(last + .nanoseconds(1) == last)
        #expect(first - .nanoseconds(1) == first)
        #expect(.never - .nanoseconds(UInt64.max) == first)
    }

    @Test func differencesAreExact() {
        let early = LoopClock.Instant(nanoseconds: 5)
        let late = LoopClock.Instant(nanoseconds: 12)
        #expect(late - early == .nanoseconds(7))
        #expect(early - late == .nanoseconds(-7))
        #expect(early.duration(to: late) == .nanoseconds(7))
        #expect(last - first == .nanoseconds(UInt64.max))
        #expect(first - last == .zero - .nanoseconds(UInt64.max))
        #expect(early < late && !(late < early) && early <= early)
        #expect(late.advanced(by: .nanoseconds(-7)) == early)
    }

    /// Durations become nanoseconds rounded up, never down (T1), and saturate (T6).
    @Test(
        arguments: [
            (Duration.zero, 0), (Duration(attoseconds: 1), 1), (.nanoseconds(1), 1),
            (Duration(attoseconds: 1_000_000_001), 2), (Duration(attoseconds: -1), 0),
            (.seconds(1), 1_000_000_000), (.seconds(-1), 0), (Duration(attoseconds: .min), 0),
            (Duration(attoseconds: .max), .max), (.seconds(Int64.max), .max),
            (.seconds(18_446_744_073) + .nanoseconds(709_551_615), .max),
            (.seconds(18_446_744_073) + .nanoseconds(709_551_614), .max - 1),
            (
                .seconds(18_446_744_073) + .nanoseconds(709_551_614) + Duration(attoseconds: 1),
                .max
            ),
        ] as [(Duration, UInt64)])
    func durationsRoundUp(duration: Duration, nanoseconds: UInt64) {
        #expect(duration.nanosecondsRoundedUp == nanoseconds)
    }

    /// The fast division agrees with plain arithmetic.
    @Test func roundingAgreesWithPlainArithmetic() {
        var random = Seeded()
        for _ in 0..<100_000 {
            let bits = Int.random(in: 0..<127, using: &random)
            let attoseconds =
                Int128(
                    truncatingIfNeeded: UInt128.random(in: 0...(UInt128(1) << bits), using: &random)
                )
            let (quotient, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            let expected = UInt64(clamping: quotient + (rest == 0 ? 0 : 1))
            #expect(Duration(attoseconds: attoseconds).nanosecondsRoundedUp == expected)
        }
    }

    @Test func instantsTellThemselves() {
        #expect(LoopClock.Instant.never.description == "never")
        #expect(!LoopClock.Instant(nanoseconds: 5).description.isEmpty)
        #expect(LoopClock().minimumResolution == .nanoseconds(1))
    }

    /// Real loops share one clock, which goes forward; inside a closure it is the loop's own.
    @Test func nowGoesForward() throws {
        let before = LoopClock.Instant.now
        let loop = try Loop.embedded()
        let inside = loop.now
        #expect(inside >= before)
        #expect(LoopClock().now >= inside)
        let manual = try manualLoop()
        #expect(manual.inside { LoopClock.Instant.now } == epoch)
        #expect(LoopClock.Instant.now != epoch)
    }
}
