// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

private let shortest = UInt64(SWIVEL_LOOK_NS)
private let longest = UInt64(SWIVEL_LOOK_MAX_NS)
private let trial = UInt64(SWIVEL_LOOK_TRIAL_NS)
private let patience = Int(SWIVEL_LOOK_PATIENCE_NS)

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

    /// Whether a thread that has woken another one at this instant does so too seldom to look.
    func isSeldom(at nanoseconds: UInt64) -> Bool {
        swivel__look_is_seldom(&state, swivel_real(ns: nanoseconds))
    }

    func slept(took: UInt64) {
        swivel__look_slept(&state, took)
    }

    /// Looks in vain until it gives up.
    func giveUp() {
        while length(SWIVEL_REPLY_SOME) > 0 {
            ended(found: false, took: trial)
        }
    }

    /// Of how many sleeps one is looked before. (A chosen one would change the experience.)
    var oneIn: Int {
        for shift in 0..<32 {
            var copy = state
            if swivel__look_length(&copy, SWIVEL_REPLY_SOME, UInt32.max >> UInt32(shift)) > 0 {
                return 1 << shift
            }
        }
        return 0
    }
}

@Suite struct LookChoiceTests {
    @Test func aThreadThatExpectsNothingDoesNotLook() {
        let look = Look()
        #expect(look.length(chance: 0) == 0)
        look.giveUp()
        #expect(look.length(chance: 0) == 0)
    }

    @Test func aThreadThatSeldomWakesAnotherDoesNotLook() {
        let look = Look()
        let seldom = UInt64(SWIVEL_LOOK_SELDOM_NS)
        var now = 10 * seldom
        #expect(look.isSeldom(at: now))
        for _ in 0..<3 {
            now += seldom
            #expect(look.isSeldom(at: now))
        }
        for _ in 0..<3 {
            now += seldom - 1
            #expect(!look.isSeldom(at: now))
        }
        #expect(!look.isSeldom(at: now - seldom), "a clock that goes back")
    }

    @Test(arguments: [SWIVEL_REPLY_SOME, SWIVEL_REPLY_SOON, SWIVEL_REPLY_WOKEN])
    func aThreadThatExpectsAReplyTries(_ reply: swivel_reply) {
        let look = Look()
        #expect(look.length(reply) == trial)
    }

    @Test func whatIsFoundInTimeHasEverySleepLookedBefore() {
        let look = Look()
        look.ended(found: true, took: longest)
        #expect(look.length() == longest)
        #expect(look.length(SWIVEL_REPLY_SOON) == longest)
    }

    @Test func aThreadThatIsBeingWokenIsGivenTheTimeThatTakes() {
        let look = Look()
        look.ended(found: true)
        #expect(look.length(SWIVEL_REPLY_SOON) == shortest)
        #expect(look.length(SWIVEL_REPLY_WOKEN) == trial)
    }

    @Test func aThreadThatOnlyRunsOnceThisOneSleepsIsNotLookedFor() {
        let look = Look()
        #expect(look.length(SWIVEL_REPLY_BEHIND, chance: 0) == 0)
        look.ended(found: true)
        #expect(look.length(SWIVEL_REPLY_BEHIND, chance: 0) == 0)
        #expect(look.length(SWIVEL_REPLY_SOON) == shortest)
    }

    /// Each of the two that share a processor waits for the other's; then the other one leaves.
    @Test func aThreadThatLeavesThisOnesProcessorIsLookedFor() {
        #expect(swivel__look_is_awaited(SWIVEL_REPLY_BEHIND, true))
        #expect(!swivel__look_is_awaited(SWIVEL_REPLY_BEHIND, false))
        #expect(swivel__look_is_awaited(SWIVEL_REPLY_SOME, false))
        #expect(!swivel__look_is_awaited(SWIVEL_REPLY_NONE, true))
    }

    /// Each sleeps by the time that the other has woken, if both look for less than that takes.
    @Test(arguments: [10_000, 30_000, 50_000] as [UInt64])
    func twoThreadsThatWakeEachOtherSoonMeetAwake(_ wake: UInt64) {
        let asker = Look(), server = Look()
        asker.ended(found: true)
        server.ended(found: true)
        var serverLooks: UInt64 = 0, gap = wake, sleeps = 0
        for _ in 0..<1_000 {
            let isAsleep = serverLooks < gap
            server.ended(found: !isAsleep, took: min(gap, serverLooks))
            let reply = isAsleep ? wake : 500
            let looks = asker.length(isAsleep ? SWIVEL_REPLY_WOKEN : SWIVEL_REPLY_SOON)
            let isFound = looks >= reply
            asker.ended(found: isFound, took: min(looks, reply))
            sleeps += (isAsleep ? 1 : 0) + (isFound ? 0 : 1)
            gap = isFound ? 500 : wake
            serverLooks = server.length(isFound ? SWIVEL_REPLY_SOON : SWIVEL_REPLY_WOKEN)
        }
        #expect(sleeps <= 2)
    }

    @Test func whatIsFoundLateIsNoReasonToLook() {
        let look = Look()
        look.ended(found: true, took: longest + 1)
        #expect(look.length() == 0)
        #expect(look.length(SWIVEL_REPLY_SOME) == trial)
    }

    @Test func patienceEnds() {
        let look = Look()
        look.ended(found: false, took: trial, times: patience / Int(trial) - 1)
        #expect(look.length(SWIVEL_REPLY_SOON) == trial)
        look.ended(found: true, took: trial)
        #expect(look.length(SWIVEL_REPLY_SOON) == 0)
        #expect(look.state.vain_ns == UInt32(patience))
    }

    @Test func timeOffTheProcessorIsNoLook() {
        let look = Look()
        look.ended(found: false, took: 1 << 40)
        #expect(look.state.vain_ns == UInt32(trial))
    }

    @Test func oneFindInFiveKeepsTheThreadLooking() {
        let look = Look()
        for _ in 0..<10_000 {
            look.ended(found: false, took: shortest, times: 4)
            look.ended(found: true)
        }
        #expect(look.length() > 0)
        for _ in 0..<10_000 where look.length() > 0 {
            look.ended(found: false, took: shortest, times: 5)
            if look.length() > 0 { look.ended(found: true) }
        }
        #expect(look.length() == 0)
    }

    @Test func looksThatPaidEndTooWhenTheyAreInVain() {
        let look = Look()
        look.ended(found: true)
        look.ended(found: false, took: shortest, times: patience / Int(shortest))
        #expect(look.length(SWIVEL_REPLY_SOON) == 0)
        #expect(!look.state.pays)
    }

    @Test func trialsThatLeadNowhereBecomeRarerDownToALimit() {
        let look = Look()
        for oneIn in (8...17).map({ 1 << $0 }) + [131_072] {
            look.giveUp()
            #expect(look.oneIn == oneIn)
            #expect(look.length(SWIVEL_REPLY_SOME, chance: 0) == trial)
            #expect(look.length(SWIVEL_REPLY_SOON) == trial)
        }
        look.ended(found: true)
        look.giveUp()
        #expect(look.oneIn == 256)
    }

    /// A peek at a reply that may be near: before one sleep in eight.
    @Test func aThreadThatHasGivenUpLooksForOneThatIsAwake() {
        let look = Look()
        look.giveUp()
        let chances = (0..<64).map { UInt32.max - $0 }
        #expect(chances.count { look.length(SWIVEL_REPLY_SOON, chance: $0) == longest } == 8)
        #expect(chances.allSatisfy { look.length(SWIVEL_REPLY_SOME, chance: $0) == 0 })
        look.ended(found: false, took: longest)
        #expect(look.state.vain_ns == UInt32(patience))
        look.ended(found: true)
        #expect(look.state.pays && look.state.vain_ns < UInt32(patience) / 2)
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
