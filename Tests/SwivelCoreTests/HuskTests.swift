// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelTestSupport
import Testing

/// The captures of a post go when it has run, though their memory may stay.
@Suite(.offPool) struct HuskTests {
    private final class Object: @unchecked Sendable {
        // because a loop's thread writes them, and the test reads them once that has passed.
        nonisolated(unsafe) static var kept: Object?
        // because of the same.
        nonisolated(unsafe) static var ended = 0
        // because of the same.
        var runs = 0

        deinit { Self.ended += 1 }

        /// The object itself is the closure's context, and goes on.
        func runAndStay() {
            runs += 1
            Self.kept = self
        }
        func run() { runs += 1 }
    }

    /// Waits until all earlier posts have run.
    private func pass(_ loop: Loop) {
        let passed = DispatchSemaphore(value: 0)
        loop.execute { passed.signal() }
        passed.wait()
    }

    @Test func capturesGoWithTheirClosure() throws {
        let loop = try Loop()
        let probe = Probe()
        for round in 1...3_000 {
            loop.execute(probe.work())
            if round % 700 == 0 {
                pass(loop)
                #expect(probe.released == round)
            }
        }
        pass(loop)
        loop.shutdown()
        #expect(probe.ran == 3_000 && probe.released == 3_000)
    }

    @Test func anObjectThatIsTheContextLivesAsLongAsItIsNeeded() throws {
        let loop = try Loop()
        Object.ended = 0
        for round in 1...2_000 {
            loop.execute(Object().runAndStay)
            loop.execute(Object().run)
            if round % 500 == 0 { pass(loop) }
        }
        pass(loop)
        #expect(Object.ended == 3_999)
        weak let last = Object.kept
        #expect(last?.runs == 1)
        // The slots are claimed once more, and their husks freed.
        for _ in 0..<2_000 { loop.execute {} }
        pass(loop)
        #expect(last?.runs == 1)
        Object.kept = nil
        #expect(last == nil && Object.ended == 4_000)
        loop.shutdown()
    }

    @Test func aClosureThatIsPostedAgainStays() throws {
        let loop = try Loop()
        let probe = Probe()
        do {
            let work = probe.work()
            for _ in 0..<2_000 { loop.execute(work) }
            pass(loop)
            #expect(probe.ran == 2_000 && probe.released == 0)
        }
        #expect(probe.released == 1)
        loop.shutdown()
    }
}
