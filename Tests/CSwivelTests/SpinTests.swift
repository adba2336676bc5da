// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Foundation
import Testing

private let longest = UInt32(SWIVEL_SPIN_MAX_NS)
private let never = UInt64.max

/// The rule by which a thread spins before it sleeps, without a thread or a clock.
@Suite struct SpinTests {
    private var spin = swivel_spin()

    private mutating func window(left: UInt64 = never) -> UInt32 {
        swivel__spin_window(&spin, left)
    }

    private mutating func ended(found: Bool, took: UInt64) {
        swivel__spin_ended(&spin, found, took)
    }

    /// The kernel wakes the thread for it. Nothing is learned: no probe is used up.
    @Test mutating func aThreadDoesNotSpinForATimer() {
        for left in [0, 1, 2000, UInt64(longest)] {
            let before = spin
            #expect(window(left: left) == 0)
            #expect(spin.skips == before.skips && spin.period == before.period)
        }
        #expect(window(left: UInt64(longest) + 1) == longest)
        ended(found: true, took: 0)
        #expect(window(left: 10_000) == 0)
        #expect(window(left: 10_001) == 10_000)
    }

    /// Against the rule as docs/design/spinning.md has it, with random spins.
    @Test mutating func itIsTheRule() {
        var random = SeededRandom(seed: announcedSeed("SpinTests"))
        var rule = Rule()
        for _ in 0..<100_000 {
            let window = self.window()
            #expect(window == rule.window())
            guard window > 0 else { continue }
            let isFound = random.once(in: 3)
            let took = UInt64(random.below(isFound && random.once(in: 4) ? 60_000 : Int(window)))
            ended(found: isFound, took: took)
            rule.ended(found: isFound, took: took)
        }
    }

    private struct Rule {
        var length: UInt64 = 0, period: UInt64 = 0, skips: UInt64 = 0

        mutating func window() -> UInt32 {
            if length > 0 { return UInt32(length) }
            if skips > 0 {
                skips -= 1
                return 0
            }
            period = min(max(2 * period, 16), 1024)
            skips = period
            return 50_000
        }

        mutating func ended(found: Bool, took: UInt64) {
            if found && took <= 50_000 {
                length = max(length, min(50_000, 2 * took + 10_000))
                period = 0
            } else {
                length /= 2
                if length < 2000 { length = 0 }
            }
        }
    }
}

/// Spins, with threads and the clock.
@Suite struct SpinForTests {
    /// Spins until the question has been asked `asks` times. `found` is called with each.
    private static func spin(
        _ spin: inout swivel_spin, for nanoseconds: UInt32, asks: Int,
        _ ended: inout swivel_mono, _ found: @escaping () -> Void = {}
    ) -> Bool {
        struct Question {
            var left: Int
            var found: () -> Void
        }
        var question = Question(left: asks, found: found)
        return withUnsafeMutablePointer(to: &question) { question in
            swivel__spin_for(
                &spin, nanoseconds,
                { argument in
                    guard let question = argument?.assumingMemoryBound(to: Question.self) else {
                        return true
                    }
                    question.pointee.left -= 1
                    question.pointee.found()
                    return question.pointee.left <= 0
                }, question, &ended)
        }
    }

    /// A turn may take the time for its own: it is not before the work that was found.
    @Test(arguments: [1, 8, 9, 100]) func aFindReturnsATimeAfterIt(asks: Int) {
        var (spin, ended) = (swivel_spin(), swivel_mono())
        var last: UInt64 = 0
        #expect(Self.spin(&spin, for: .max, asks: asks, &ended) { last = swivel_now_ns() })
        #expect(ended.ns >= last)
        #expect(ended.ns <= swivel_now_ns())
    }

    @Test func aSpinInVainTakesItsTime() {
        var (spin, ended) = (swivel_spin(), swivel_mono())
        let before = swivel_now_ns()
        #expect(!Self.spin(&spin, for: 50_000, asks: .max, &ended))
        #expect(ended.ns >= before + 50_000)
        #expect(spin.window_ns == 0)
    }

    /// It yields the processor instead, and then asks once.
    @Test func aThreadWhosePartnerWaitsForItsProcessorDoesNotSpin() async throws {
        let asked = try await offPool {
            var asked = 0
            swivel__note_woken(UInt32(swivel__sleep_cpu()))
            var spin = swivel_spin()
            #expect(swivel__spin_before_sleep(&spin, never) == 0)
            let isFound = swivel__thread_spin(
                { asked in
                    asked?.assumingMemoryBound(to: Int.self).pointee += 1
                    return false
                }, &asked)
            #expect(!isFound && !swivel__take_awaited())
            return asked
        }
        #expect(asked == 1)
    }

    #if os(Linux)
    /// The thread that replies has the other processors.
    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func aThreadOfOneProcessorSpinsToo() async throws {
        let window = try await offPool {
            #expect((0..<64).contains { swivel__thread_pin(pthread_self(), $0) == 0 })
            var spin = swivel_spin()
            return swivel__spin_before_sleep(&spin, never)
        }
        #expect(window == longest)
    }
    #endif
}
