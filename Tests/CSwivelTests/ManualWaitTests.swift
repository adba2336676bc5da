// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// A manual loop that waits does so in real time, wherever its own time stands to the real clock's.
/// Each runs in a process of its own, which a wait without an end would end.
@Suite struct ManualWaitTests {
    /// Seconds from the real clock to the loop's first instant.
    static let starts = [-1_000, 0, 1_000] as [Int64]

    @Test(arguments: starts)
    func aWaitInAClosureEndsInRealTime(_ seconds: Int64) async {
        await #expect(processExitsWith: .success) { [seconds = seconds as Int64] in
            check(swivel_manual_fixture_waits(start(seconds)))
        }
    }

    @Test(arguments: starts)
    func aDrainEndsAtItsLimit(_ seconds: Int64) async {
        await #expect(processExitsWith: .success) { [seconds = seconds as Int64] in
            check(swivel_manual_fixture_limit(start(seconds)))
        }
    }

    @Test(arguments: starts)
    func aDrainMovesVirtualTime(_ seconds: Int64) async {
        await #expect(processExitsWith: .success) { [seconds = seconds as Int64] in
            check(swivel_manual_fixture_pending(start(seconds)))
        }
    }
}

private func start(_ seconds: Int64) -> UInt64 {
    let now = Int64(swivel_now_ns())
    return UInt64(max(1, now + seconds * 1_000_000_000))
}

private func check(_ broken: UnsafePointer<CChar>?) {
    if let broken {
        fatalError(String(cString: broken))
    }
}
