// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// The captures of submitted work go when it has run, though their memory may stay. Work in a queue
/// does not keep its context.
@Suite(.offPool) struct SubmitMemoryTests {
    private final class Object: @unchecked Sendable {
        // because a loop's thread writes it, and the test reads it once that has passed.
        nonisolated(unsafe) static var kept: Object?
        // because of the same.
        nonisolated(unsafe) static var ended = 0
        // because of the same.
        var runs = 0

        deinit { Self.ended += 1 }

        /// The object itself is the closure's context, and goes on.
        func runAndStay() -> Int {
            Self.kept = self
            return run()
        }

        func run() -> Int {
            runs += 1
            return runs
        }
    }

    @Test func capturesGoWithTheirWork() throws {
        let loop = try Loop()
        let probe = Probe()
        for round in 1...3_000 {
            let future = loop.submit(probe.work { round })
            if round % 700 == 0 {
                #expect(future.await() == round)
                loop.submit {}.await()  // The release comes after the result.
                #expect(probe.released == round)
            }
        }
        loop.submit {}.await()
        loop.shutdown()
        #expect(probe.ran == 3_000 && probe.released == 3_000)
    }

    @Test func anObjectThatIsTheContextLivesAsLongAsItIsNeeded() throws {
        let loop = try Loop()
        Object.ended = 0
        for round in 1...2_000 {
            loop.submit(Object().runAndStay)
            loop.submit(Object().run)
            if round % 500 == 0 { loop.submit {}.await() }
        }
        loop.submit {}.await()
        #expect(Object.ended == 3_999)
        weak let last = Object.kept
        #expect(last?.runs == 1)
        // The slots are claimed once more, and what was left in them is freed.
        for _ in 0..<2_000 { loop.submit {} }
        loop.submit {}.await()
        #expect(last?.runs == 1)
        Object.kept = nil
        #expect(last == nil && Object.ended == 4_000)
        loop.shutdown()
    }

    @Test func workThatIsSubmittedAgainStays() throws {
        let loop = try Loop()
        let probe = Probe()
        do {
            let work = probe.work { 1 }
            for _ in 0..<2_000 { loop.submit(work) }
            #expect(loop.submit(work).await() == 1)
            loop.submit {}.await()
            #expect(probe.ran == 2_001 && probe.released == 0)
        }
        #expect(probe.released == 1)
        loop.shutdown()
    }

    @Test func workThatFailsGivesItsMemoryBackToo() throws {
        let loop = try Loop()
        let probe = Probe()
        for code in 1...1_500 {
            let work = probe.work { code }
            let future: Future<Int, Boom> = loop.submit { () throws(Boom) in
                throw Boom(code: work())
            }
            if code % 500 == 0 { #expect(future.awaitedError == Boom(code: code)) }
        }
        loop.submit {}.await()
        #expect(probe.released == 1_500)
        loop.shutdown()
    }

    @Test func queuedWorkDoesNotKeepItsLoop() throws {
        let probe = Probe()
        weak var gone: Loop?
        let (failing, silent): (Future<Int, any Error>, Future<Int, Never>)
        do {
            let loop = try Loop.manual(seed: 1)
            gone = loop
            failing = loop.submit(probe.work { 1 } as @Sendable () throws -> Int)
            silent = loop.submit(probe.work { 2 })
        }
        #expect(gone == nil)
        #expect(probe.released == 2 && probe.ran == 0)
        #expect(failing.isFailure && !silent.isCompleted)
    }

    @Test func resultsDoNotKeepTheirLoop() throws {
        weak var gone: Loop?
        let future: Future<Int, Never>
        do {
            let loop = try Loop.manual(seed: 1)
            gone = loop
            future = loop.submit { 1 }
            loop.advance(by: .zero)
        }
        #expect(gone == nil)
        #expect(future.map { $0 + 1 }.await() == 2)
    }

    @Test func callbacksThatWaitKeepTheirLoop() throws {
        weak var kept: Loop?
        let promise = Promise<Int, Never>()
        do {
            let loop = try Loop.manual(seed: 1)
            kept = loop
            promise.future.map(on: loop) { $0 + 1 }.onComplete(on: .immediate) { _ in }
        }
        #expect(kept != nil)
        promise.succeed(1)
        kept?.advance(by: .zero)
        #expect(kept == nil)
    }
}
