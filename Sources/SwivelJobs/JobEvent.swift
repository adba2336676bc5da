// SPDX-License-Identifier: Apache-2.0

/// An event of a job, for its observers.
@usableFromInline
enum JobEvent: Sendable {
    case progress(JobProgress)
    case end(JobEnd)
}

/// Why a job is over without a result.
@usableFromInline
enum JobStop: Sendable {
    case cancelled
    /// The functions that end the job were released.
    case abandoned
}

/// A result, behind one reference: ends are copied more often than they are made.
@usableFromInline
final class JobResult<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let result: Result<Value, Failure>

    @inlinable
    init(_ result: Result<Value, Failure>) {
        self.result = result
    }
}

/// How a job has ended.
@usableFromInline
enum JobEnd: Sendable {
    /// With a ``JobResult`` of the job's types, which ``Job/result(of:)`` returns.
    case success(any AnyObject & Sendable), failure(any AnyObject & Sendable)
    case stopped(JobStop)

    @inlinable
    init<Value: Sendable, Failure: Error>(_ result: Result<Value, Failure>) {
        switch result {
        case .success: self = .success(JobResult(result))
        case .failure: self = .failure(JobResult(result))
        }
    }

    var kind: JobEventKinds {
        switch self {
        case .success: .success
        case .failure: .failure
        case .stopped: .stopped
        }
    }
}

extension Job {
    /// The result that an end of this job carries; `nil`: none.
    @inlinable
    static func result(of end: JobEnd) -> Result<Value, Failure>? {
        switch end {
        case .success(let result), .failure(let result):
            (result as? JobResult<Value, Failure>)?.result
        case .stopped: nil
        }
    }
}

/// The kinds of ends with which a handler is called.
@usableFromInline
struct JobEventKinds: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    // Computed: a stored one is made at its first use, and each use checks for that.
    @inlinable static var success: JobEventKinds { JobEventKinds(rawValue: 1) }
    @inlinable static var failure: JobEventKinds { JobEventKinds(rawValue: 2) }
    @inlinable static var stopped: JobEventKinds { JobEventKinds(rawValue: 4) }
    @inlinable static var result: JobEventKinds { JobEventKinds(rawValue: 3) }
}
