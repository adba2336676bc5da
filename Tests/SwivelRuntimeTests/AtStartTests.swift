// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import SwivelTestSupport
import Testing

/// A program that names nothing of Swivel and is linked with SwivelRuntimeAtStart.
@Suite(.offPool) struct AtStartTests {
    @Test(arguments: ["", "platform", "loop"])
    func everythingMovesByDefault(mainActor: String) throws {
        for setting in ["everything", nil] {
            let output = try run(setting, mainActor)
            #expect(output.contains("a task runs on swivel.pool\n"), "\(output)")
            #expect(output.contains("swivel.sleeps"), "\(output)")
            #expect(!output.contains("Swivel:"), "\(output)")
            #expect(output.contains("main thread: true") == (mainActor == "loop"), "\(output)")
        }
    }

    @Test(arguments: ["platform", "loop"])
    func onlySleepsMoveWithTimers(mainActor: String) throws {
        let output = try run("timers", mainActor)
        #expect(!output.contains("swivel.pool"), "\(output)")
        #expect(output.contains("swivel.sleeps"), "\(output)")
        #expect(!output.contains("Swivel:"), "\(output)")
        #expect(output.contains("main thread: true") == (mainActor == "loop"), "\(output)")
    }

    @Test(arguments: ["platform", "loop"])
    func nothingMovesIfItIsOff(mainActor: String) throws {
        let output = try run("off", mainActor)
        #expect(!output.contains("swivel.") && !output.contains("Swivel:"), "\(output)")
    }

    @Test func aSettingThatIsNoneIsReported() throws {
        let output = try run("nonsense", "loop")
        #expect(!output.contains("swivel."), "\(output)")
        #expect(
            output.contains("SWIVEL_RUNTIME is 'nonsense', and may be everything, timers or off"),
            "\(output)")
    }

    private func run(_ setting: String?, _ mainActor: String) throws -> String {
        // The frame of the main task, which ends the process, is no root of LeakSanitizer's.
        var environment = ["SWIVEL_RUNTIME_MAIN": mainActor, "ASAN_OPTIONS": "detect_leaks=0"]
        environment["SWIVEL_RUNTIME"] = setting
        let outcome = try ChildProgram("RuntimeAtStartProgram").run([], environment: environment)
        #expect(outcome.passed, "\(outcome.output)")
        return outcome.output
    }
}
#endif
