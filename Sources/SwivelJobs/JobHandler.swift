// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// An event of a job, for its handlers and observers: progress, or the end.
enum JobEvent: Sendable {
    // Indirect, so that an event, which is copied often, is a word.
    indirect case progress(JobProgress)
    indirect case success(any Sendable)
    case failure(any Error)
    /// The job was cancelled, or the functions that end it were released.
    case cancelled, abandoned

    var kind: JobEventKinds {
        switch self {
        case .progress: .progress
        case .success: .success
        case .failure: .failure
        case .cancelled, .abandoned: .stopped
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

/// A closure that is called with the end of a job, once at most, or with its progress. Such a
/// listener's calls come in order and never overlap, on any context.
final class JobHandler: @unchecked Sendable {
    // because the lock of the job guards what changes.
    let kinds: JobEventKinds
    let context: any ExecutionContext
    /// Whether it gets all reports, or the latest.
    let getsAll: Bool
    let body: @Sendable (JobEvent) -> Void

    var number = 0
    /// The reports that it has yet to get.
    var pending = JobQueue<JobProgress>()
    /// How many calls on a concurrent context have found it being called.
    var missed = 0

    init(
        _ kinds: JobEventKinds, on context: any ExecutionContext, getsAll: Bool,
        _ body: @escaping @Sendable (JobEvent) -> Void
    ) {
        self.kinds = kinds
        self.context = context
        self.getsAll = getsAll
        self.body = body
    }
}

/// First in, first out, in amortized O(1).
struct JobQueue<Element> {
    private var incoming: [Element] = []
    /// The oldest elements, the oldest of them last.
    private var outgoing: [Element] = []

    mutating func append(_ element: Element) { incoming.append(element) }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            if incoming.isEmpty { return nil }
            swap(&incoming, &outgoing)
            outgoing.reverse()
        }
        defer { if outgoing.isEmpty, outgoing.capacity > 16 { outgoing = [] } }
        return outgoing.popLast()
    }
}
