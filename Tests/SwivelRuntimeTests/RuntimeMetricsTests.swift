// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import SwivelTestSupport
import Testing

/// The counters, the list of sleeping tasks, and the watchdog.
@Suite(.offPool) struct RuntimeMetricsTests {
    @Test(arguments: ["the counters", "who sleeps"], RuntimePrograms.modes)
    func theReportsAreTrue(name: String, mode: String) throws {
        try RuntimePrograms.expectPass(name, mode)
    }

    @Test func theWatchdogReportsATaskThatBlocks() throws {
        try RuntimePrograms.expectPass("the watchdog", "everything")
    }
}
#endif
