// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// How deep waits on a loop's thread may nest: B1.
@Suite(.offPool) struct PumpDepthTests {
    /// B1: where waits nest without end the program stops, and says why, before the stack ends.
    /// (Optimized frames are so small that ThreadSanitizer's own stack of calls ends first.)
    @Test(.enabled(if: Machine.isDebug || !Machine.isThreadSanitized), arguments: [true, false])
    func waitsNestedWithoutEndTrap(threaded: Bool) async throws {
        let result: ExitTest.Result
        if threaded {
            result = try await #require(processExitsWith: .failure, observing: standardError) {
                try exitTest {
                    let loop = try Loop()
                    nest(loop)
                    _ = Latch().wait()
                }
            }
        } else {
            result = try await #require(processExitsWith: .failure, observing: standardError) {
                try exitTest {
                    let loop = try Loop.embedded()
                    nest(loop)
                    loop.run()
                }
            }
        }
        #expect(result.errors.contains("waits are nested so deep"))
    }

    /// Depth by itself is no mistake: a thousand nested waits end.
    @Test func aThousandNestedWaitsEnd() throws {
        // AddressSanitizer's frames are several times as large as the compiler's own.
        let ended = onThread(stackSize: 256 << 20) { Self.orderOfNestedWaits(1_000) }
        #expect(ended == Array((0..<1_000).reversed()))
    }

    private static func orderOfNestedWaits(_ count: Int) -> [Int]? {
        guard let loop = try? manualLoop() else { return nil }
        let latches = (0...count).map { _ in Latch() }
        let ended = Shared<[Int]>()
        for depth in 0..<count {
            loop.execute {
                #expect(latches[depth].wait())
                ended.append(depth)
                latches[max(depth, 1) - 1].signal()
            }
        }
        loop.execute { latches[count - 1].signal() }
        loop.runDue()
        return ended.value
    }
}

/// Posts a closure that posts the next one and waits for it.
private func nest(_ loop: Loop) {
    loop.execute {
        nest(loop)
        _ = Latch().wait()
    }
}
