// SPDX-License-Identifier: Apache-2.0

/// How far a ``Job`` is.
public struct JobProgress: Sendable {
    /// From 0 to 1. A job brings what it is told into that range.
    public var fraction: Double
    /// Whatever else there is to say, such as the name of a phase.
    public var userInfo: (any Sendable)?

    /// Progress.
    ///
    /// - Parameters:
    ///   - fraction: From 0 to 1.
    ///   - userInfo: Goes along with it, through composites too.
    public init(_ fraction: Double, userInfo: (any Sendable)? = nil) {
        self.fraction = fraction
        self.userInfo = userInfo
    }

    /// What a listener hears of progress that comes faster than it listens.
    public enum Buffering: Sendable {
        /// The latest: a report takes the place of one that was not heard yet.
        case latest
        /// All of it, in order. What was not heard yet is kept.
        case all
    }
}

/// Why a job is over without a result.
enum JobStop: Sendable {
    case cancelled
    /// Nobody is left who could end it.
    case abandoned
}

/// What the handlers of a job, and the composite that it is part of, hear of it.
enum JobEvent<Value: Sendable, Failure: Error>: Sendable {
    case progress(JobProgress)
    case success(Value)
    case failure(Failure)
    case stopped(JobStop)

    /// How the job has ended, without what that carries.
    var kind: JobEventKinds {
        switch self {
        case .progress: []
        case .success: .success
        case .failure: .failure
        case .stopped: .stopped
        }
    }

    /// The result, if it is one.
    var result: Result<Value, Failure>? {
        switch self {
        case .success(let value): .success(value)
        case .failure(let error): .failure(error)
        case .progress, .stopped: nil
        }
    }

    init(_ result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self = .success(value)
        case .failure(let error): self = .failure(error)
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
