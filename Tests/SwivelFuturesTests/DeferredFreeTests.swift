// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// The captures of work that another thread has sent go when it has run, though their memory may stay.
@Suite(.offPool) struct DeferredFreeTests {
    /// How work is sent.
    enum Way: CaseIterable { case posted, submitted }

    /// The object itself is the context of its functions.
    private final class Object: @unchecked Sendable {
        // because a loop's thread changes it, and the test reads it once that has passed.
        private(set) var runs = 0
        private let log: Log

        init(_ log: Log) { self.log = log }

        deinit { log.ended.add() }

        func run() { runs += 1 }

        func runAndStay() {
            run()
            log.kept.value = self
        }
    }

    private final class Log: Sendable {
        let ended = Counter()
        let kept = Shared<Object?>(nil)
    }

    /// Waits until all that was sent before has run and is released.
    private func pass(_ loop: Loop) {
        let passed = DispatchSemaphore(value: 0)
        loop.execute { passed.signal() }
        passed.wait()
    }

    @Test(arguments: Way.allCases) func capturesGoWithTheirClosure(way: Way) throws {
        let loop = try Loop()
        let probe = Probe()
        for round in 1...3_000 {
            switch way {
            case .posted: loop.execute(probe.work())
            case .submitted: loop.submit(probe.work { round })
            }
            if round % 700 == 0 {
                pass(loop)
                #expect(probe.released == round)
            }
        }
        pass(loop)
        loop.shutdown()
        #expect(probe.ran == 3_000 && probe.released == 3_000)
    }

    @Test(arguments: Way.allCases)
    func anObjectThatIsTheContextLivesAsLongAsItIsNeeded(way: Way) throws {
        let loop = try Loop()
        let log = Log()
        for round in 1...2_000 {
            switch way {
            case .posted:
                loop.execute(Object(log).runAndStay)
                loop.execute(Object(log).run)
            case .submitted:
                loop.submit(Object(log).runAndStay)
                loop.submit(Object(log).run)
            }
            if round % 500 == 0 { pass(loop) }
        }
        pass(loop)
        #expect(log.ended.value == 3_999)
        weak let last = log.kept.value
        #expect(last?.runs == 1)
        // The slots are claimed once more, and the memory in them is freed.
        for _ in 0..<2_000 { loop.execute {} }
        pass(loop)
        #expect(last?.runs == 1)
        log.kept.value = nil
        #expect(last == nil && log.ended.value == 4_000)
        loop.shutdown()
    }

    @Test(arguments: Way.allCases) func aClosureThatIsSentAgainStays(way: Way) throws {
        let loop = try Loop()
        let probe = Probe()
        do {
            let work = probe.work()
            for _ in 0..<2_000 {
                switch way {
                case .posted: loop.execute(work)
                case .submitted: loop.submit(work)
                }
            }
            pass(loop)
            #expect(probe.ran == 2_000 && probe.released == 0)
        }
        #expect(probe.released == 1)
        loop.shutdown()
    }
}
