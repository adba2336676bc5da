// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// How a simulation runs. Without options the order is ``SimulationStrategy/uniform``, and there
/// are no faults.
///
/// ```swift
/// try await simulate(seed: 7, .cancelling, .strategy(.pct(depth: 3))) { try await program() }
/// ```
///
/// **Thread:** any.
public struct SimulationOption: Sendable {
    let apply: @Sendable (inout Settings) -> Void

    /// Runs each seed twice, and fails if the two traces differ.
    public static let verified = SimulationOption { $0.isVerified = true }

    /// Cancels one task, at one of its suspensions: one of the first thousand of the run, and more
    /// often an early one. It is never the task of the body. A body that then throws
    /// `CancellationError` has not failed.
    public static let cancelling = SimulationOption { $0.isCancelling = true }

    /// Returns an option with which half of all steps come late, by a random time of `longest` at
    /// most: those of tasks outside of the main actor, and of closures in pools.
    ///
    /// - Complexity: O(1).
    public static func delays(upTo longest: Duration) -> SimulationOption {
        SimulationOption { $0.longestDelay = longest.nanoseconds }
    }

    /// Returns an option with which the wall clock is set now and then, by `longest` at most,
    /// forward or back: the time of `Date()`, and not that of `ContinuousClock` or of timers.
    ///
    /// - Complexity: O(1).
    public static func clockJumps(upTo longest: Duration) -> SimulationOption {
        SimulationOption { $0.longestJump = longest.nanoseconds }
    }

    /// Returns an option with which this `strategy` chooses the steps.
    ///
    /// - Complexity: O(1).
    public static func strategy(_ strategy: SimulationStrategy) -> SimulationOption {
        SimulationOption { $0.strategy = strategy }
    }

    /// Returns an option with which a run fails after `limit` steps, and not after a million.
    ///
    /// - Complexity: O(1).
    public static func steps(atMost limit: Int) -> SimulationOption {
        SimulationOption { $0.stepLimit = limit }
    }
}

/// The options of one simulation, in the order in which they were given.
struct Settings: Sendable {
    var strategy = SimulationStrategy.uniform
    var stepLimit = 1_000_000
    var longestDelay: Int64 = 0
    var longestJump: Int64 = 0
    var isCancelling = false
    var isVerified = false

    init(_ options: [SimulationOption]) {
        for option in options { option.apply(&self) }
    }
}
