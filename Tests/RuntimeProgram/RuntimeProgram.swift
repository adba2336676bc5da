// SPDX-License-Identifier: Apache-2.0
import SwivelRuntime

/// Runs one case in an asynchronous main, after an installation in its first line. The case that
/// returns has passed; its test limits the time. Usage: RuntimeProgram CASE [timers|everything]
@main struct RuntimeProgram {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst(2).first {
        case "timers": try SwivelRuntime.install(.timers)
        case "everything": try SwivelRuntime.install(.everything)
        default: break
        }
        #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
        guard let run = CommandLine.arguments.dropFirst().first.flatMap({ cases[$0] }) else {
            fatalError("no case of that name: \(CommandLine.arguments)")
        }
        try await run()
        #endif
        print("passed")
    }

    #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
    private static let cases: [String: @Sendable () async throws -> Void] = [
        "tasks run on the threads of the mode": tasksRunOnTheThreadsOfTheMode,
        "a second installation": secondInstallation,
        "an installation after a task": installationAfterATask,
        "an installation inside another task": installationInsideAnotherTask,
        "the main loop in an asynchronous main": mainLoopInAnAsynchronousMain,
        "cancelled sleeps leave nothing": cancelledSleepsLeaveNothing,
        "cancels at the beginning of sleeps": cancelsAtTheBeginningOfSleeps,
        "sleeps in an actor": sleepsInAnActor,
        "sleeps on the main actor": sleepsOnTheMainActor,
        "all kinds of sleeps": allKindsOfSleeps,
        "blocked tasks": blockedTasks,
        "blocking waits of Swivel's": blockingWaitsOfSwivels,
        "the counters": counters,
        "who sleeps": whoSleeps,
        "the watchdog": watchdogReports,
        "a job of another library": jobOfAnotherLibrary,
        "a loop ends inside a task": loopEndsInsideATask,
    ]
    #endif
}
