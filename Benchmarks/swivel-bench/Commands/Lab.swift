// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Rivals

/// The place where contests are run, with progress and failures on standard error.
enum Lab {
    /// - Parameter patience: seconds in which measurements may wait for neighbours to go.
    static func run(
        _ contests: [Contest], _ sweeps: [Sweep] = [], rounds: Rounds, patience: UInt64
    ) -> RoundRunner.Outcome {
        Memory.holdThresholds()
        defer { ChildRival.endAll() }
        let runner = RoundRunner(
            rounds: rounds, progress: ProgressLine(),
            neighbours: Neighbours(patience: patience * 1_000_000_000))
        let outcome = runner.run(contests, sweeps)
        for failure in outcome.failures {
            FileHandle.standardError.write(Data("failed: \(failure)\n".utf8))
        }
        return outcome
    }
}
