// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Synchronization
import Testing

private final class Flag: Sendable {
    private let word = Atomic(false)

    var isRaised: Bool { word.load(ordering: .acquiring) }
    func raise() { word.store(true, ordering: .releasing) }
}

/// The look of a wait in a loop's closure, before it pumps the loop.
@Suite struct ParkLookTests {
    /// The question of a look: how often it was asked, and the answer.
    private final class Question: Sendable {
        let asked = Atomic(0)
        let answer: Bool

        init(_ answer: Bool) { self.answer = answer }

        /// Looks on the loop whose closure this is.
        func look(on loop: TestLoop) -> Bool {
            swivel__park_look(
                loop.record,
                { argument in
                    guard let argument else { return true }
                    let question = Unmanaged<Question>.fromOpaque(argument).takeUnretainedValue()
                    question.asked.add(1, ordering: .relaxed)
                    return question.answer
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// The look takes the loop's urgency, as a drain does. An entry that came before it in the
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
                    _ = Question(false).look(on: loop)
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
    @Test func itDoesNotLookWhileAPostWaits() async throws {
        try await offPool {
            let loop = try TestLoop()
            for _ in 0..<100 {
                let (question, post) = (Question(true), Cell())
                let wait = Cell {
                    loop.post(post)
                    #expect(!question.look(on: loop))
                }
                loop.post(wait)
                post.awaitRelease()
                wait.awaitRelease()
                #expect(question.asked.load(ordering: .relaxed) == 0)
            }
        }
    }

    /// Only a loop with a thread of its own looks: time may be the test's, or the poller another's.
    @Test(arguments: [SWIVEL_MANUAL.rawValue, SWIVEL_CALLER.rawValue])
    func itDoesNotLookOnTheCallersThread(_ drive: UInt32) throws {
        let loop = try TestLoop(swivel_drive(rawValue: drive))
        let question = Question(true)
        let wait = Cell { #expect(!question.look(on: loop)) }
        loop.post(wait)
        if drive == SWIVEL_MANUAL.rawValue { loop.advance(by: 1) } else { loop.runOnce() }
        #expect(wait.ran == 1)
        #expect(question.asked.load(ordering: .relaxed) == 0)
    }

    /// It looks where looking may pay: with company, and a poller that was served just now.
    @Test func itFindsTheEndOfTheWait() async throws {
        guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return }
        try await offPool {
            let loop = try TestLoop()
            let found = Flag()
            for _ in 0..<100_000 where !found.isRaised {
                let wait = Cell {
                    if Question(true).look(on: loop) { found.raise() }
                }
                loop.post(wait)
                wait.awaitRelease()
            }
            #expect(found.isRaised)
        }
    }
}

#if os(Linux)
/// A loop before it sleeps for a thread that waits for its processor.
@Suite struct StepAsideTests {
    /// Has closures of the loop expect such a thread, and returns how many sleeps the loop has
    /// counted. `during` runs in each closure, after the turn has begun.
    private func stays(
        of loop: TestLoop, closures: Int, _ during: @escaping @Sendable () -> Void
    ) -> UInt32 {
        for _ in 0..<closures {
            let closure = Cell {
                during()
                swivel__expect(SWIVEL_REPLY_BEHIND)
            }
            loop.post(closure)
            closure.awaitRelease()
        }
        let stays = Count()
        let question = Cell { stays.value = swivel_park_bed_stays(loop.record) }
        loop.post(question)
        question.awaitRelease()
        return stays.value
    }

    private final class Count: @unchecked Sendable {  // because the loop's closure ends first
        var value: UInt32 = 0
    }

    /// Leaving for a thread that has asked already, and sleeps, would bring both to the other
    /// processor.
    ///
    /// The post ends the expectation: a turn whose budget the closure has used up is followed by
    /// another one, and not by a park.
    @Test func aLoopWithWorkDoesNotStepAside() async throws {
        try await offPool {
            let loop = try TestLoop()
            let stays = stays(of: loop, closures: 10) {
                let flag = Flag()
                Thread {
                    loop.post(Cell.expectsNothing)
                    flag.raise()
                }.start()
                while !flag.isRaised {}
            }
            #expect(stays == 0)
        }
    }

    /// A thread that shares the loop's processor may have put the loop off it and posted meanwhile:
    /// looks that found such posts paid for looks in vain without end.
    @Test func anEntryThatIsThereTellsNothingAboutLooks() async throws {
        try await offPool {
            let loop = try TestLoop()
            for _ in 0..<30 {
                let (posted, pays) = (Flag(), Flag())
                let question = Cell {
                    _ = swivel__take_expected()
                    if swivel_park_bed_looks_pay(loop.record) { pays.raise() }
                }
                let closure = Cell {
                    Thread {
                        loop.post(question)
                        posted.raise()
                    }.start()
                    while !posted.isRaised {}
                    swivel__expect(SWIVEL_REPLY_WOKEN)
                }
                loop.post(closure)
                question.awaitRelease()
                #expect(!pays.isRaised)
            }
        }
    }

    @Test func aLoopThatWouldSleepCounts() async throws {
        try await offPool {
            let loop = try TestLoop()
            var counted: UInt32 = 0
            for _ in 0..<100_000 where counted == 0 { counted = stays(of: loop, closures: 1) {} }
            #expect(counted > 0)
        }
    }
}

extension Cell {
    /// One that stays, after which its thread expects no reply.
    fileprivate static let expectsNothing = Cell { _ = swivel__take_expected() }
}
#endif
