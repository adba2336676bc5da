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

    /// Clocks with one time have one identity.
    @Test func theClockHasAnIdentity() throws {
        let (loop, other) = (try manualLoop(), try manualLoop())
        let real = try threadedLoop()
        defer { real.shutdown() }
        #expect(real.clock.id == LoopClock().id && real.clock.id == Loop.shared.clock.id)
        #expect(loop.clock.id == loop.clock.id && loop.clock.id != other.clock.id)
        #expect(loop.clock.id != real.clock.id)
        #expect(loop.inside { LoopClock().id } == loop.clock.id)
    }
}
