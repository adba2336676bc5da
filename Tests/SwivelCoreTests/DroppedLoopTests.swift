// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelTestSupport
import Testing

private func limitDescriptors(to count: rlim_t) {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    limits.rlim_cur = min(count, limits.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
}

/// Loops with a thread that nobody can reach any more, and that were not shut down: S1.
@Suite(.offPool) struct DroppedLoopTests {
    /// S1: the descriptors and threads of loops that were dropped are there when new ones need them.
    @Test func droppedLoopsGiveWayWhenDescriptorsRunOut() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                limitDescriptors(to: 128)
                let kept = try Loop()
                let timed = Gate()
                var handle: TimerHandle?
                for number in 0..<200 {
                    let loop = try Loop()
                    loop.onThread {}
                    if number == 0 {
                        // A loop that has a timer lives on: its closure may yet run.
                        handle = loop.schedule(after: .hours(1)) { timed.open() }
                    }
                }
                require(Machine.threads() < 60, "\(Machine.threads()) threads")
                require(handle?.rearm(after: .zero) == true, "the timer is gone")
                require(timed.isOpened(seconds: 10), "the timer's loop is gone")
                kept.onThread {}
                require(kept.shutdown().isComplete, "a loop in use")
            }
        }
    }

    /// S1: a loop that is let go right after a post runs it before it gives way.
    @Test func postsToDroppedLoopsRun() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                limitDescriptors(to: 128)
                let (posted, ran) = (Counter(), Counter())
                let threads = (0..<3).map { _ in
                    TestThread {
                        for _ in 0..<200 {
                            guard let loop = try? Loop() else { continue }
                            loop.execute { ran.add() }
                            posted.add()
                        }
                    }
                }
                threads.forEach { $0.join() }
                require(posted.value > 100, "\(posted.value) loops")
                let limit = LoopClock.Instant.now.advanced(by: .seconds(60))
                while ran.value < posted.value, .now < limit { usleep(1_000) }
                require(ran.value == posted.value, "\(ran.value) of \(posted.value) have run")
            }
        }
    }

    /// S4: loops in use never give way.
    @Test func loopsInUseKeepTheirDescriptors() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                limitDescriptors(to: 128)
                var loops: [Loop] = []
                while let loop = try? Loop() { loops.append(loop) }
                require(loops.count > 5 && loops.count < 40, "\(loops.count) loops")
                require((try? Loop()) == nil, "there is room for one more")
                for loop in loops {
                    loop.onThread {}
                    require(loop.shutdown().isComplete, "shutdown")
                }
                require((try? Loop()) != nil, "there is no room")
            }
        }
    }

    /// Debug builds name a loop that was dropped, when the next one is made or the program ends.
    @Test(.enabled(if: Machine.isDebug), arguments: [false, true])
    func debugBuildsNameADroppedLoop(makesAnother: Bool) async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) { [makesAnother = makesAnother as Bool] in
            try exitTest {
                let kept = try Loop(.init(name: "test.kept"))
                try Loop(.init(name: "test.dropped")).onThread {}
                try Loop(.init(name: "test.closed")).shutdown()
                busy(for: .milliseconds(50))  // The loop goes to sleep, and says so.
                if makesAnother {
                    try Loop().shutdown()
                    _exit(kept.isCurrent ? 1 : 0)
                }
                withExtendedLifetime(kept) { exit(0) }
            }
        }
        #expect(printed("test.dropped", result))
        #expect(!printed("test.kept", result))
        #expect(!printed("test.closed", result))
    }
}
#endif
