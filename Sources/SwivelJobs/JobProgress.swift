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
@usableFromInline
enum JobStop: Sendable {
    case cancelled
    /// Nobody is left to end it.
    case abandoned
}

/// How a job has ended. A result is in the job.
@usableFromInline
enum JobEnd: Sendable {
    case success, failure
    case stopped(JobStop)

    var kind: JobEventKinds {
        switch self {
        case .success: .success
        case .failure: .failure
        case .stopped: .stopped
        }
    }
}

/// An event of a job, for its observers.
@usableFromInline
enum JobEvent: Sendable {
    case progress(JobProgress)
    case end(JobEnd)
}

/// Kinds of ends that a handler hears of.
@usableFromInline
struct JobEventKinds: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    // Computed: a stored one is made at its first use, which each use asks about.
    @inlinable static var success: JobEventKinds { JobEventKinds(rawValue: 1) }
    @inlinable static var failure: JobEventKinds { JobEventKinds(rawValue: 2) }
    @inlinable static var stopped: JobEventKinds { JobEventKinds(rawValue: 4) }
    @inlinable static var result: JobEventKinds { JobEventKinds(rawValue: 3) }
}
