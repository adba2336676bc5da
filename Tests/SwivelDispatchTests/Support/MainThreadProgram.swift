// SPDX-License-Identifier: Apache-2.0
import SwivelTestSupport

/// The program that shows what only a process's first thread can show, one case a run.
enum MainThreadProgram {
    /// Runs a case, for a minute at most.
    static func run(_ name: String) throws -> ChildProgram.Outcome {
        // Memory that the first thread's stack held when `dispatchMain()` ended it counts as leaked.
        try ChildProgram("MainThreadProgram").run(
            [name], environment: ["ASAN_OPTIONS": "detect_leaks=0"])
    }
}
