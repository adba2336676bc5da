// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Testing

/// The wait in the poller, on either park.
@Suite struct ParkTests {
    /// An instant that has passed, or passes on the way into the poller, ends the wait at once: libuv
    /// fires its own timers before it polls, and then polls for good if no other is left.
    @Test(arguments: [-1_000_000_000, -1, 0, 1, 1_000, 20_000] as [Int64])
    func aWaitEndsWhereTheInstantHasPassedOnTheWay(_ offset: Int64) async {
        await #expect(processExitsWith: .success) { [offset = offset as Int64] in
            _ = swivel_park_fixture_waits(200, offset)
        }
    }

    @Test func noWaitEndsBeforeItsInstant() async throws {
        let early = try await offPool { swivel_park_fixture_waits(50, 1_500_000) }
        #expect(early == 0)
    }
}
