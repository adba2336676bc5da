// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import SwivelTestSupport
import Testing

/// The main actor on `Loop.main`, in a synchronous main that runs it.
@Suite(.offPool) struct MainLoopTests {
    @Test(
        arguments: [
            "the main loop", "the main loop and a queue", "isolation before the main loop runs",
        ], RuntimePrograms.modes)
    func theMainActorIsOnTheMainLoop(name: String, mode: String) throws {
        try RuntimePrograms.expectPassInSync(name, mode)
    }
}
#endif
