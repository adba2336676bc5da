// SPDX-License-Identifier: Apache-2.0
import SwivelTestSupport
import Testing

/// Runs SwivelRuntime in processes of their own: an installation is the first thing that a
/// process does with tasks.
enum RuntimePrograms {
    static let modes = ["timers", "everything"]

    /// Runs a case of the program with an asynchronous main, which installs `mode` first.
    @discardableResult
    static func expectPass(
        _ name: String, _ mode: String = "none", endAfter seconds: Double = 60,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        try expectPass("RuntimeProgram", [name, mode], seconds, sourceLocation)
    }

    /// Runs a case of the program with a synchronous main.
    @discardableResult
    static func expectPassInSync(
        _ name: String, _ mode: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        try expectPass("RuntimeSyncProgram", [name, mode], 60, sourceLocation)
    }

    private static func expectPass(
        _ program: String, _ arguments: [String], _ seconds: Double, _ location: SourceLocation
    ) throws -> String {
        let outcome = try ChildProgram(program).run(arguments, endAfter: seconds)
        #expect(outcome.passed, "\(outcome.output)", sourceLocation: location)
        return outcome.output
    }
}
