// SPDX-License-Identifier: Apache-2.0
// Runs one case in a synchronous main. The case that returns has passed; its test limits the time.
// Usage: RuntimeSyncProgram CASE [timers|everything]
import SwivelRuntime

#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
let cases: [String: @MainActor (SwivelRuntime.Mode) throws -> Void] = [
    "the first line": firstLine,
    "after a task": afterATask,
    "executors of another library": executorsOfAnotherLibrary,
    "a main executor of another library": mainExecutorOfAnotherLibrary,
    "a hook of another library": hookOfAnotherLibrary,
    "no descriptors": noDescriptors,
    "the main loop": mainLoop,
    "no descriptors for the main loop": noDescriptorsForTheMainLoop,
    "a blocking wait on the main loop": blockingWaitOnTheMainLoop,
    "the main loop and a queue": mainLoopAndAQueue,
    "isolation before the main loop runs": isolationBeforeTheMainLoopRuns,
    "a fork": forkedChild,
    "a fork before the first task": forkedBeforeTheFirstTask,
]

let arguments = CommandLine.arguments.dropFirst()
guard let run = arguments.first.flatMap({ cases[$0] }) else {
    fatalError("no case of that name: \(CommandLine.arguments)")
}
try run(arguments.last == "timers" ? .timers : .everything)
#endif
print("passed")
