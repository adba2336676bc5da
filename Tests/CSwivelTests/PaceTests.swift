// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

private let lookNs = UInt64(SWIVEL_LOOK_NS)
private let probeNs = UInt64(SWIVEL_PROBE_NS)
private let leadMaxNs = UInt64(SWIVEL_LEAD_MAX_NS)
private let longNs: UInt64 = 1_000_000_000

/// A pace, called with plain numbers.
private final class Pace {
    private(set) var state = swivel_pace()

    func posted() { state.expects_reply = true }

    func look(left: UInt64 = longNs, chance: UInt32 = .max) -> UInt64 {
        swivel__pace_look(&state, left, chance)
    }

    func looked(found: Bool, took: UInt64 = 1, times: Int = 1) {
        for _ in 0..<times {
            swivel__pace_looked(&state, found, took)
        }
    }

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

@Suite struct PaceLookTests {
    @Test func aLoopThatExpectsNothingDoesNotLook() {
        let pace = Pace()
        #expect(pace.look(chance: 0) == 0)
    }

    @Test func oneParkInSixteenAfterAPostIsProbed() {
        let pace = Pace()
        let probed = (0..<64).filter { top in
            pace.posted()
            return pace.look(chance: UInt32(top) << 26) == probeNs
        }
        #expect(probed == [0, 1, 2, 3])
    }

    @Test func aPostIsExpectedToBeAnsweredBeforeOneParkOnly() {
        let pace = Pace()
        pace.posted()
        #expect(pace.look(chance: 0) == probeNs)
        #expect(pace.look(chance: 0) == 0)
    }

    @Test func aScoreHasEveryParkLookedBefore() {
        let pace = Pace()
        pace.looked(found: true, took: lookNs)
        #expect(pace.look() == lookNs)
        #expect(pace.look() == lookNs)
    }

    @Test func aTimerDueWithinTheLookIsTheKernelsToKeep() {
        let pace = Pace()
        pace.posted()
        #expect(pace.look(left: probeNs, chance: 0) == 0)
        pace.posted()
        #expect(pace.look(left: probeNs + 1, chance: 0) == probeNs)
        pace.looked(found: true)
        #expect(pace.look(left: lookNs) == 0)
        #expect(pace.look(left: lookNs + 1) == lookNs)
    }

    @Test func aLookInVainCostsTwiceWhatOneThatFindsEarns() {
        let pace = Pace()
        pace.looked(found: true, times: 3)
        pace.looked(found: false)
        #expect(pace.look() == lookNs)
        pace.looked(found: false)
        #expect(pace.look() == 0)
    }

    @Test func theScoreHasALimit() {
        let pace = Pace()
        pace.looked(found: true, times: 100)
        pace.looked(found: false, times: 3)
        #expect(pace.look() == lookNs)
        pace.looked(found: false)
        #expect(pace.look() == 0)
    }

    @Test func aProbeInVainHalvesTheChanceTwiceAtMost() {
        let pace = Pace()
        for zeroes in [4, 5, 6, 6] as [UInt32] {
            pace.posted()
            #expect(pace.look(chance: UInt32.max >> (zeroes - 1)) == 0)
            pace.posted()
            #expect(pace.look(chance: UInt32.max >> zeroes) == probeNs)
            pace.looked(found: false, took: probeNs)
        }
    }

    @Test func aProbeThatFoundWorkLateIsFollowedByOthers() {
        let pace = Pace()
        pace.looked(found: true, took: lookNs + 1)
        pace.posted()
        #expect(pace.look() == probeNs)
        pace.looked(found: false, took: probeNs)
        pace.posted()
        #expect(pace.look() == 0)
    }

    @Test func aRowOfProbesThatLeadsNowhereEndsInOneOf256() {
        let pace = Pace()
        pace.looked(found: true, took: lookNs + 1, times: Int(SWIVEL_PROBES_IN_A_ROW))
        pace.posted()
        #expect(pace.look() == probeNs)
        pace.looked(found: true, took: lookNs + 1)
        pace.posted()
        #expect(pace.look(chance: UInt32.max >> 7) == 0)
        pace.posted()
        #expect(pace.look(chance: UInt32.max >> 8) == probeNs)
        pace.looked(found: true)
        pace.looked(found: false)
        pace.posted()
        #expect(pace.look(chance: UInt32.max >> 4) == probeNs)
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

    @Test func aSleepInARushHasALimit() {
        let pace = Pace.rushing()
        for _ in 0..<100 {
            pace.park(until: 1000, late: longNs)
        }
        #expect(pace.putOff(now: 50, until: 60) == 50 + UInt64(SWIVEL_RUSH_SLEEP_MAX_NS))
    }
}
