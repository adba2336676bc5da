// SPDX-License-Identifier: Apache-2.0

internal import BenchKit

/// The instructions of single operations. They hardly change from run to run, where times do.
enum InstructionCounts: Scenario {
    static let name = "instructions"
    static let summary = """
        instructions that the processor takes for each operation, where it tells; on Linux without
        the kernel's
        """

    static func contests(_ plan: Plan) -> [Contest] { Instructions.areCounted ? all : [] }

    /// The contests of a machine that counts.
    static var all: [Contest] { CountedWork.contests(name, .instructions) }
}
