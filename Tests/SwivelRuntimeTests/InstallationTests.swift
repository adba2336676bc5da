// SPDX-License-Identifier: Apache-2.0
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
import SwivelTestSupport
import Testing

/// `install` works before the first task, and else is refused; a refusal changes nothing.
@Suite(.offPool) struct InstallationTests {
    private typealias Programs = RuntimePrograms

    @Test(arguments: Programs.modes)
    func theFirstLineOfAnAsynchronousMainInstalls(mode: String) throws {
        try Programs.expectPass("tasks run on the threads of the mode", mode)
    }

    @Test func withoutAnInstallationNothingMoves() throws {
        try Programs.expectPass("tasks run on the threads of the mode")
    }

    @Test(arguments: Programs.modes)
    func theFirstLineOfASynchronousMainInstalls(mode: String) throws {
        try Programs.expectPassInSync("the first line", mode)
    }

    @Test(arguments: Programs.modes)
    func aSecondInstallationIsRefused(mode: String) throws {
        try Programs.expectPass("a second installation", mode)
    }

    @Test(arguments: ["an installation after a task", "an installation inside another task"])
    func itIsTooLateAfterATask(name: String) throws { try Programs.expectPass(name) }

    @Test(arguments: Programs.modes)
    func itIsTooLateInASynchronousMainToo(mode: String) throws {
        try Programs.expectPassInSync("after a task", mode)
    }

    @Test func anAsynchronousMainIsTooLateForTheMainLoop() throws {
        try Programs.expectPass("the main loop in an asynchronous main")
    }

    @Test(
        arguments: [
            "executors of another library", "a main executor of another library",
            "a hook of another library",
        ], Programs.modes)
    func anotherLibraryKeepsTheTasks(name: String, mode: String) throws {
        try Programs.expectPassInSync(name, mode)
    }

    /// The system refuses the loop of the sleeps its descriptors at first.
    @Test(arguments: ["no descriptors", "no descriptors for the main loop"], Programs.modes)
    func anInstallationThatTheSystemRefusesMayBeRepeated(name: String, mode: String) throws {
        try Programs.expectPassInSync(name, mode)
    }

    /// S3
    @Test(arguments: ["a fork", "a fork before the first task"], Programs.modes)
    func aChildUsesWhatTheParentHasNotUsed(name: String, mode: String) throws {
        try Programs.expectPassInSync(name, mode)
    }
}
#endif
