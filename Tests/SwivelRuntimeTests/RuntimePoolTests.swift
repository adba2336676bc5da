// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import SwivelTestSupport
import Testing

/// The tasks of a whole program on the worker pool.
@Suite(.offPool) struct RuntimePoolTests {
    /// F5: twice as many tasks as processors block in semaphores.
    @Test func blockedTasksDoNotStopOthers() throws {
        try RuntimePrograms.expectPass("blocked tasks", "everything")
    }

    /// B1: the wait ends, and the report that the cooperative pool has too few threads is not made.
    @Test func blockingWaitsInTasksEnd() throws {
        let output = try RuntimePrograms.expectPass("blocking waits of Swivel's", "everything")
        #expect(!output.contains("Swivel:"), "\(output)")
    }
}
#endif
