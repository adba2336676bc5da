// SPDX-License-Identifier: Apache-2.0

/// An event of a job, for its handlers and observers: progress, or the end.
enum JobEvent: Sendable {
    case progress(JobProgress)
    /// With a `Result` of the job's types, which ``Job/result(of:)`` returns.
    case success(any Sendable), failure(any Sendable)
    case cancelled
    /// The functions that end the job were released.
    case abandoned

    init<Value: Sendable, Failure: Error>(_ result: Result<Value, Failure>) {
        switch result {
        case .success: self = .success(result)
        case .failure: self = .failure(result)
        }
    }

    var kind: JobEventKinds {
        switch self {
        case .progress: .progress
        case .success: .success
        case .failure: .failure
        case .cancelled, .abandoned: .stopped
        }
    }
}

extension Job {
    /// The result that an event of this job carries; `nil`: none.
    static func result(of event: JobEvent) -> Result<Value, Failure>? {
        switch event {
        case .success(let result), .failure(let result): result as? Result<Value, Failure>
        case .progress, .cancelled, .abandoned: nil
        }
    }
}

/// The kinds of events with which a handler is called.
struct JobEventKinds: OptionSet, Sendable {
    let rawValue: UInt8

    static let success = JobEventKinds(rawValue: 1)
    static let failure = JobEventKinds(rawValue: 2)
    static let result: JobEventKinds = [.success, .failure]
    static let stopped = JobEventKinds(rawValue: 4)
    static let progress = JobEventKinds(rawValue: 8)
}
