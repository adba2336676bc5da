// SPDX-License-Identifier: Apache-2.0

/// How far a ``Job`` is.
public struct JobProgress: Sendable {
    /// From 0 to 1. A job clamps what is reported to that range.
    public var fraction: Double
    /// Anything else that a report carries, such as the name of a phase.
    public var userInfo: (any Sendable)?

    /// A report of `fraction`, from 0 to 1. `userInfo` goes with it, through composites too.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public init(_ fraction: Double, userInfo: (any Sendable)? = nil) {
        self.fraction = fraction
        self.userInfo = userInfo
    }

    /// The reports that a listener gets if they come faster than it returns.
    public enum Buffering: Sendable {
        /// The latest: a report replaces one that is still pending.
        case latest
        /// All, in order. Pending reports are kept.
        case all
    }

    /// The same report, where 0 is `start` and 1 is `start + length`.
    func scaled(from start: Double, by length: Double) -> JobProgress {
        JobProgress(start + length * fraction, userInfo: userInfo)
    }
}
