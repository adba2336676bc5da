// SPDX-License-Identifier: Apache-2.0

/// How far a ``Job`` is.
public struct JobProgress: Sendable {
    /// From 0 to 1. A job clamps what is reported to that range.
    public var fraction: Double
    /// Anything else that a report carries, such as the name of a phase.
    public var userInfo: (any Sendable)?

    /// A report of progress.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - fraction: From 0 to 1.
    ///   - userInfo: Goes with the report, through composites too.
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
}

/// Why a job is over without a result.
enum JobStop: Sendable {
    case cancelled
    /// Nobody is left to end it.
    case abandoned
}

/// An event of a job, for its handlers and observers.
enum JobEvent<Value: Sendable, Failure: Error>: Sendable {
    case progress(JobProgress)
    case result(Result<Value, Failure>)
    case stopped(JobStop)

    /// The kind of an end, without its payload; empty for progress.
    var kind: JobEventKinds {
        switch self {
        case .progress: []
        case .result(.success): .success
        case .result(.failure): .failure
        case .stopped: .stopped
        }
    }
}

/// Kinds of ``JobEvent`` that end a job.
struct JobEventKinds: OptionSet {
    let rawValue: UInt8

    static let success = JobEventKinds(rawValue: 1)
    static let failure = JobEventKinds(rawValue: 2)
    static let stopped = JobEventKinds(rawValue: 4)
    static let result: JobEventKinds = [.success, .failure]
}
