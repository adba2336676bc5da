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

/// Loops with a thread that were released and not shut down: S4.
@Suite(.offPool) struct DroppedLoopTests {
    /// S4: they keep their descriptors, and an `init` without any throws.
    @Test func droppedLoopsKeepTheirDescriptors() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                limitDescriptors(to: 128)
                var (count, refusal) = (0, SwivelError?.none)
                while refusal == nil, count < 200 {
                    do throws(SwivelError) {
                        try Loop().onThread {}
                        count += 1
                    } catch {
                        refusal = error
                    }
                }
                require(count > 5 && count < 40, "\(count) loops")
                require(refusal?.code == .tooManyFiles, "\(String(describing: refusal))")
            }
        }
    }

    /// S4: a try succeeds once there are descriptors again.
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
            processExitsWith: .success, observing: standardError
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
