// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

private let leadMaxNs = UInt64(SWIVEL_LEAD_MAX_NS)
private let longNs: UInt64 = 1_000_000_000

/// A pace, called with plain numbers.
private final class Pace {
    private(set) var state = swivel_pace()

    var isRush: Bool { swivel__pace_is_rush(&state) }

    func putOff(now: UInt64, until: UInt64) -> UInt64 {
        swivel__pace_put_off(&state, swivel_real(ns: now), swivel_real(ns: until)).ns
    }

    func ask(parked: UInt64, until: UInt64) -> UInt64 {
        swivel__pace_ask(&state, swivel_real(ns: parked), swivel_real(ns: until)).ns
    }

    func woke(asked: UInt64, until: UInt64, at woke: UInt64) -> Bool {
        swivel__pace_woke(
            &state, swivel_real(ns: 0), swivel_real(ns: asked), swivel_real(ns: until),
            swivel_real(ns: woke))
    }

    func gather(_ comes: Bool) -> UInt32 { swivel__pace_gather(&state, comes) }

    /// A park at 0 with a timer at `until`, as the loop makes it, from which it wakes late.
    func park(until: UInt64, late: UInt64) {
        let asked = ask(parked: 0, until: until)
        #expect(woke(asked: asked, until: until, at: asked + late))
    }

    /// In a rush: eight parks of a microsecond from which the kernel wakes 8 µs late.
    static func rushing() -> Pace {
        let pace = Pace()
        for _ in 0..<Int(SWIVEL_RUSH) {
            pace.park(until: 1000, late: 8000)
        }
        return pace
    }
}

@Suite struct PaceSleepTests {
    @Test func theKernelIsAskedToWakeEarlierByTheLeastThatItIsLate() {
        let pace = Pace()
        #expect(pace.ask(parked: 0, until: longNs) == longNs)
        pace.park(until: longNs, late: 8000)
        #expect(pace.ask(parked: 0, until: longNs) == longNs - 1000)
        pace.park(until: longNs, late: 0)
        #expect(pace.ask(parked: 0, until: longNs) == longNs - 500)
    }

    @Test func theLeadHasALimit() {
        let pace = Pace()
        for _ in 0..<50 {
            pace.park(until: longNs, late: 1_000_000)
        }
        #expect(pace.ask(parked: 0, until: longNs) == longNs - leadMaxNs)
    }

    @Test func noLeadForATimerThatIsNearOrNever() {
        let pace = Pace()
        pace.park(until: longNs, late: 8000)
        #expect(pace.ask(parked: 10, until: 2009) == 2009)
        #expect(pace.ask(parked: 10, until: 2010) == 1010)
        #expect(pace.ask(parked: 10, until: .max) == .max)
    }

    @Test func aWakeByAnotherThreadTeachesNothingAndEndsARush() {
        let pace = Pace.rushing()
        let before = (pace.state.wake_late_ns, pace.state.wake_lead_ns)
        #expect(!pace.woke(asked: longNs, until: longNs, at: longNs - 1))
        #expect((pace.state.wake_late_ns, pace.state.wake_lead_ns) == before)
        #expect(!pace.isRush)
    }

    @Test func latenessIsAnAverageOfEightWakes() {
        let pace = Pace()
        pace.park(until: longNs, late: 8000)
        #expect(pace.state.wake_late_ns == 1000)
        pace.park(until: longNs, late: 0)
        #expect(pace.state.wake_late_ns == 875)
    }

    @Test func eightShortSleepsInARowAreARushAndALongOneEndsIt() {
        let pace = Pace.rushing()
        #expect(pace.isRush)
        pace.park(until: longNs, late: 8000)
        #expect(!pace.isRush)
        for _ in 0..<Int(SWIVEL_RUSH) {
            #expect(!pace.isRush)
            pace.park(until: 1000, late: 8000)
        }
        #expect(pace.isRush)
    }

    @Test func aSleepInARushLastsTwiceTheLateness() {
        let pace = Pace.rushing()
        let least = 2 * pace.state.wake_late_ns
        #expect(least > 1000)
        #expect(pace.putOff(now: 50, until: 60) == 50 + least)
        #expect(pace.putOff(now: 50, until: 51 + least) == 51 + least)
        #expect(pace.putOff(now: .max - 1, until: .max - 1) == .max)
        #expect(pace.ask(parked: 50, until: longNs) == longNs)
        #expect(Pace().putOff(now: 50, until: 60) == 60)
    }

    @Test func aStreamGathersTwiceAsLongFromTurnToTurn() {
        let pace = Pace()
        #expect((0..<6).map { _ in pace.gather(true) } == [16, 32, 64, 128, 128, 128])
        #expect(pace.gather(false) == 0)
        #expect((0..<2).map { _ in pace.gather(true) } == [16, 32])
    }

    @Test func aSleepInARushHasALimit() {
        let pace = Pace.rushing()
        for _ in 0..<100 {
            pace.park(until: 1000, late: longNs)
        }
        #expect(pace.putOff(now: 50, until: 60) == 50 + UInt64(SWIVEL_RUSH_SLEEP_MAX_NS))
    }
}
