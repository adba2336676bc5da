// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

private let shortest = UInt64(SWIVEL_LOOK_NS)
private let longest = UInt64(SWIVEL_LOOK_MAX_NS)
private let probe = UInt64(SWIVEL_PROBE_NS)

/// A thread's experience with looking, called with plain numbers.
private final class Look {
    private(set) var state = swivel_look()

    func length(
        _ reply: swivel_reply = SWIVEL_REPLY_NONE, chance: UInt32 = .max
    ) -> UInt64 {
        swivel__look_length(&state, reply, chance)
    }

    func ended(found: Bool, took: UInt64 = 1, times: Int = 1) {
        for _ in 0..<times {
            swivel__look_ended(&state, found, took)
        }
    }

    func slept(took: UInt64) {
        swivel__look_slept(&state, took)
    }

    /// Of how many sleeps without a score one is looked before.
    func oneIn(_ reply: swivel_reply) -> Int {
        for shift in 0..<32 where length(reply, chance: UInt32.max >> UInt32(shift)) > 0 {
            return 1 << shift
        }
        return 0
    }
}

@Suite struct LookChoiceTests {
    @Test func aThreadThatExpectsNothingDoesNotLook() {
        let look = Look()
        #expect(look.length(chance: 0) == 0)
    }

    @Test func oneSleepInSixteenBeforeAReplyIsProbed() {
        let look = Look()
        let probed = (0..<64).filter { top in
            look.length(SWIVEL_REPLY_SOME, chance: UInt32(top) << 26) == probe
        }
        #expect(probed == [0, 1, 2, 3])
    }

    @Test func whoIsAwakeIsExpectedToReplySoon() {
        let look = Look()
        #expect(look.length(SWIVEL_REPLY_SOON) == shortest)
    }

    @Test func aScoreHasEverySleepLookedBefore() {
        let look = Look()
        look.ended(found: true)
        #expect(look.length() == shortest)
        #expect(look.length() == shortest)
    }

    @Test func aLookInVainCostsTwiceWhatOneThatFindsEarns() {
        let look = Look()
        look.ended(found: true, times: 3)
        look.ended(found: false)
        #expect(look.length() > 0)
        look.ended(found: false)
        #expect(look.length() == 0)
    }

    @Test func theScoreHasALimit() {
        let look = Look()
        look.ended(found: true, times: 100)
        look.ended(found: false, times: 3)
        #expect(look.length() > 0)
        look.ended(found: false)
        #expect(look.length() == 0)
    }

    @Test func eachLookInVainHalvesTheChanceDownToALimit() {
        let look = Look()
        for (some, soon) in [(16, 1), (32, 2), (64, 4), (128, 8), (256, 16), (512, 16)] {
            #expect(look.oneIn(SWIVEL_REPLY_SOME) == some)
            #expect(look.oneIn(SWIVEL_REPLY_SOON) == soon)
            look.ended(found: false, took: probe)
        }
        look.ended(found: false, took: probe, times: 100)
        #expect(look.oneIn(SWIVEL_REPLY_SOME) == 1024)
        #expect(look.oneIn(SWIVEL_REPLY_SOON) == 16)
    }

    @Test func aProbeThatFindsLateShowsThatOthersRunMeanwhile() {
        let look = Look()
        for oneIn in [16, 32, 64, 64] {
            #expect(look.oneIn(SWIVEL_REPLY_SOME) == oneIn)
            look.ended(found: true, took: longest + 1)
        }
        look.ended(found: false, took: probe, times: 10)
        look.ended(found: true, took: longest + 1)
        #expect(look.oneIn(SWIVEL_REPLY_SOME) == 64)
        #expect(look.length() == 0)
    }

    @Test func aFindInTimeMakesProbesAsLikelyAsEver() {
        let look = Look()
        look.ended(found: false, took: probe, times: 10)
        look.ended(found: true, took: longest)
        look.ended(found: false)
        #expect(look.oneIn(SWIVEL_REPLY_SOME) == 16)
    }
}

@Suite struct LookLengthTests {
    @Test func aLookIsAQuarterLongerThanWhatItFoundTook() {
        let look = Look()
        look.ended(found: true, took: 8000)
        #expect(look.length() == 10_000)
    }

    @Test func aLookIsNeverLongerThanItsLimit() {
        let look = Look()
        look.ended(found: true, took: longest)
        #expect(look.length() == longest)
        look.slept(took: longest)
        #expect(look.length() == longest)
    }

    @Test func aLookThatNeedNotBeSoLongShrinks() {
        let look = Look()
        look.ended(found: true, took: 8000)
        look.ended(found: true, took: 1000)
        #expect(look.length() == 10_000 - 5000 / 16)
        look.ended(found: true, took: 1000, times: 200)
        #expect(look.length() < shortest + 16)
    }

    @Test func aLookInVainShrinksTheNext() {
        let look = Look()
        look.ended(found: true, took: 8000, times: 3)
        look.ended(found: false, took: 10_000)
        #expect(look.length() == 10_000 - 5000 / 8)
    }

    @Test func aSleepThatEndedSoonAfterALookMakesTheNextOneLonger() {
        let look = Look()
        look.ended(found: true)
        look.slept(took: 12_000)
        #expect(look.length() == 15_000)
        look.slept(took: longest + 1)
        #expect(look.length() == 15_000)
    }
}
