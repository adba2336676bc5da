// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Synchronization
import Testing

private final class Word: Sendable {
    private let word = Atomic<UInt64>(0)

    var value: UInt64 {
        get { word.load(ordering: .relaxed) }
        set { word.store(newValue, ordering: .relaxed) }
    }
}

private final class Flag: Sendable {
    private let word = Atomic(false)

    var isRaised: Bool { word.load(ordering: .acquiring) }
    func raise() { word.store(true, ordering: .releasing) }
}

/// The spin of a wait in a loop's closure, before it pumps the loop; and that of a park.
@Suite struct ParkSpinTests {
    /// The question of a spin: how often it was asked, and the answer.
    private final class Question: Sendable {
        let asked = Atomic(0)
        let answer: Bool

        init(_ answer: Bool) { self.answer = answer }

        /// Spins on the loop whose closure this is.
        func spin(on loop: TestLoop) -> Bool {
            swivel__park_spin(
                loop.record,
                { argument in
                    guard let argument else { return true }
                    let question = Unmanaged<Question>.fromOpaque(argument).takeUnretainedValue()
                    question.asked.add(1, ordering: .relaxed)
                    return question.answer
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// The spin takes the loop's urgency, as a drain does. An entry that came before it in the
    /// same turn is not forgotten: the loop does not sleep past a timer that only its inbox knows.
    @Test func aTimerFromElsewhereIsNotForgotten() async throws {
        try await offPool {
            let loop = try TestLoop()
            for _ in 0..<300 {
                let (begun, armed) = (Flag(), Flag())
                let timer = Cell()
                let wait = Cell {
                    begun.raise()
                    while !armed.isRaised {}
                    _ = Question(false).spin(on: loop)
                }
                loop.post(wait)
                while !begun.isRaised {}
                _ = loop.schedule(after: 200_000, timer)
                armed.raise()
                timer.awaitRun()
                wait.awaitRelease()
            }
        }
    }

    /// Its own posts are the loop's work, which may be what the wait waits for.
    @Test func itDoesNotSpinWhileAPostWaits() async throws {
        try await offPool {
            let loop = try TestLoop()
            for _ in 0..<100 {
                let (question, post) = (Question(true), Cell())
                let wait = Cell {
                    loop.post(post)
                    #expect(!question.spin(on: loop))
                }
                loop.post(wait)
                post.awaitRelease()
                wait.awaitRelease()
                #expect(question.asked.load(ordering: .relaxed) == 0)
            }
        }
    }

    /// It spins if there are other processors, and if the poller was served just now.
    @Test func itFindsTheEndOfTheWait() async throws {
        guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return }
        try await offPool {
            let loop = try TestLoop()
            let found = Flag()
            for _ in 0..<100_000 where !found.isRaised {
                let wait = Cell {
                    if Question(true).spin(on: loop) { found.raise() }
                }
                loop.post(wait)
                wait.awaitRelease()
            }
            #expect(found.isRaised)
        }
    }

    /// A thread that shares the loop's processor may have put the loop off it and posted in between:
    /// spins that found such posts would pay for spins in vain without end.
    @Test func anEntryThatIsThereSaysNothingAboutSpins() async throws {
        try await offPool {
            let loop = try TestLoop()
            for _ in 0..<4 {
                let posted = Flag()
                let (before, after) = (Word(), Word())
                let question = Cell {
                    after.value = swivel_park_fixture_spin(loop.record)
                }
                let closure = Cell {
                    Thread {
                        loop.post(question)
                        posted.raise()
                    }.start()
                    while !posted.isRaised {}
                    before.value = swivel_park_fixture_spin(loop.record)
                }
                loop.post(closure)
                question.awaitRelease()
                closure.awaitRelease()
                #expect(before.value == after.value)
            }
        }
    }
}
