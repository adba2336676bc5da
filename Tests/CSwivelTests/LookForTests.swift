// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Foundation
import Testing

/// The experience that a look leaves, and the time.
@Suite struct LookForTests {
    /// Looks until the question has been asked `asks` times. `found` is called with each.
    private static func look(
        _ state: inout swivel_look, lasting nanoseconds: UInt64, asks: Int,
        _ found: @escaping () -> Void = {}
    ) -> Bool {
        struct Question {
            var left: Int
            var found: () -> Void
        }
        var question = Question(left: asks, found: found)
        return withUnsafeMutablePointer(to: &question) { question in
            swivel__look_for(
                &state, nanoseconds,
                { argument in
                    guard let question = argument?.assumingMemoryBound(to: Question.self) else {
                        return true
                    }
                    question.pointee.left -= 1
                    question.pointee.found()
                    return question.pointee.left <= 0
                }, question)
        }
    }

    /// The time that a find leaves is one that the look has read: the work that was found may have
    /// come later, and never before the look began.
    @Test(arguments: [1, 8, 9, 100]) func aFindTellsATimeOfTheLook(asks: Int) {
        var state = swivel_look()
        let before = swivel_now_ns()
        #expect(Self.look(&state, lasting: 10_000_000_000, asks: asks))
        #expect(state.looked.ns >= before)
        #expect(state.looked.ns <= swivel_now_ns())
    }

    @Test func aLookInVainTellsItsEnd() {
        var state = swivel_look()
        let before = swivel_now_ns()
        #expect(!Self.look(&state, lasting: 50_000, asks: .max))
        #expect(state.looked.ns >= before + 50_000)
        #expect(!state.pays)
        #expect(state.vain_ns > 0)
    }

    /// Another thread had the processor meanwhile: the find owes nothing to the look, whichever of
    /// the looks between two readings of the clock it comes with. Its time is that of the find.
    @Test(arguments: [1, 5, 8]) func aFindOfAThreadThatWasPutOffPaysNothing(asks: Int) {
        var state = swivel_look()
        var end: UInt64 = 0
        let isFound = Self.look(&state, lasting: 10_000_000_000, asks: asks) {
            end = swivel_now_ns() + 200_000
            while swivel_now_ns() < end {}
        }
        #expect(isFound)
        #expect(!state.pays)
        #expect(state.looked.ns >= end)
    }

    /// A wait every few milliseconds wakes its loop each time: both would look in vain.
    @Test func aThreadLooksForOneThatItWakesOften() {
        var state = swivel_look()
        state.pays = true  // Or it would ask whether there is another processor.
        // Two may be far apart on a busy machine.
        let looks = (0..<100).map { _ in swivel__look_before(&state, SWIVEL_REPLY_WOKEN) }
        #expect(looks.contains(UInt64(SWIVEL_LOOK_TRIAL_NS)))
    }

    @Test func aThreadDoesNotLookForOneThatItWakesSeldom() async throws {
        let looks = try await offPool {
            var state = swivel_look()
            state.pays = true
            return (0..<20).map { _ in
                let end = swivel_now_ns() + UInt64(SWIVEL_LOOK_SELDOM_NS)
                while swivel_now_ns() < end {}
                return swivel__look_before(&state, SWIVEL_REPLY_WOKEN)
            }
        }
        #expect(looks.allSatisfy { $0 == 0 })
    }

    /// It yields the processor instead, and then asks once.
    @Test func aThreadWhosePartnerWaitsForItsProcessorDoesNotLook() {
        var asked = 0
        swivel__expect(SWIVEL_REPLY_BEHIND)
        let isFound = swivel__thread_look(
            { asked in
                asked?.assumingMemoryBound(to: Int.self).pointee += 1
                return false
            }, &asked)
        #expect(!isFound && asked == 1)
    }

    #if os(Linux)
    /// The thread that replies has the other processors.
    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func aThreadOfOneProcessorLooksToo() async throws {
        let length = try await offPool {
            #expect((0..<64).contains { swivel__thread_pin(pthread_self(), $0) == 0 })
            var state = swivel_look()
            return swivel__look_before(&state, SWIVEL_REPLY_SOME)
        }
        #expect(length > 0)
    }
    #endif
}
