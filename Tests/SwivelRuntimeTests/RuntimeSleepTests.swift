// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import SwivelTestSupport
import Testing

/// `Task.sleep` of a whole program. None is early, all end, and a cancelled one leaves nothing.
@Suite(.offPool) struct RuntimeSleepTests {
    /// R1: less than 16 bytes for each.
    @Test(arguments: RuntimePrograms.modes)
    func cancelledSleepsLeaveNothing(mode: String) throws {
        try RuntimePrograms.expectPass("cancelled sleeps leave nothing", mode, endAfter: 180)
    }

    /// R1: what is not noticed is bounded.
    @Test(
        arguments: [
            "cancels at the beginning of sleeps", "sleeps in an actor", "sleeps on the main actor",
        ], RuntimePrograms.modes)
    func cancelsLeaveAFewSleepsAtMost(name: String, mode: String) throws {
        try RuntimePrograms.expectPass(name, mode, endAfter: 180)
    }

    /// R2
    @Test(arguments: RuntimePrograms.modes)
    func allKindsOfSleepsEndAndNoneIsEarly(mode: String) throws {
        try RuntimePrograms.expectPass("all kinds of sleeps", mode)
    }

    @Test(
        arguments: ["a job of another library", "a loop ends inside a task"],
        RuntimePrograms.modes)
    func whatIsNoSleepOfTheTaskIsNotEarly(name: String, mode: String) throws {
        try RuntimePrograms.expectPass(name, mode)
    }
}
#endif
