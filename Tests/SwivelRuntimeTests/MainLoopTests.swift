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

    @Test(arguments: RuntimePrograms.modes)
    func aBlockingWaitInTheMainActorTraps(mode: String) throws {
        let outcome = try ChildProgram("RuntimeSyncProgram")
            .run(["a blocking wait on the main loop", mode])
        #expect(
            outcome.output.contains(
                "a blocking wait inside a task or actor job on Loop(swivel.main)"))
        #expect(!outcome.succeeded && !outcome.output.contains("another job"), "\(outcome.output)")
    }
}
#endif
