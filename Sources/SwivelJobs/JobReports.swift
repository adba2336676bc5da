// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A closure that gets a job's progress. Its calls come in order and never overlap, on any context.
final class JobListener: @unchecked Sendable {
    // because the lock of the job guards what changes.
    var number = 0
    let body: @Sendable (JobProgress) -> Void
    let context: any ExecutionContext
    /// Whether it is called at once.
    let isImmediate: Bool
    let hearsAll: Bool

    /// The reports that it has yet to get: all, or the latest.
    var pending = JobQueue<JobProgress>()
    /// Whether it is being called on its context.
    fileprivate var isRunning = false
    /// How many calls on a concurrent context have found it running.
    fileprivate var missed = 0

    init(
        on context: any ExecutionContext, hearsAll: Bool,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) {
        self.body = body
        self.context = context
        isImmediate = context.isImmediate
        self.hearsAll = hearsAll
    }
}

/// The reports that the listeners of a job have yet to get, and the listeners that are being
/// called.
///
/// Each call to be made is in one place only: due, on its way to a context, or missed there. So a
/// context gets one closure for each, and each closure calls its listener once at most.
struct JobReports {
    var listeners: [JobListener] = []
    /// The listeners that the delivering thread is to call, or to have called on their contexts.
    var due = JobQueue<JobListener>()
    /// The threads on which contexts are calling listeners.
    private var callers: [UnsafeMutablePointer<Trampoline>] = []
    /// The actions that continue once no listener is being called.
    var held: [@Sendable () -> Void] = []

    /// Has all listeners get `progress`. Returns the contents of the reports that it replaces, for
    /// release outside the lock.
    ///
    /// - Complexity: O(listeners).
    mutating func post(_ progress: JobProgress) -> [any Sendable] {
        var replaced: [any Sendable] = []
        for listener in listeners {
            let unheard = listener.hearsAll ? nil : listener.pending.popFirst()
            listener.pending.append(progress)
            if unheard == nil { due.append(listener) }
            if let contents = unheard?.userInfo { replaced.append(contents) }
        }
        return replaced
    }

    /// A listener's context is about to call it. Returns what it gets; `nil`: it is being called
    /// already, and will be called again.
    mutating func begin(
        _ listener: JobListener, on thread: UnsafeMutablePointer<Trampoline>
    ) -> JobProgress? {
        if listener.isRunning {
            listener.missed += 1
            return nil
        }
        guard let progress = listener.pending.popFirst() else { return nil }
        listener.isRunning = true
        callers.append(thread)
        return progress
    }

    /// The call has returned. Returns whether to call the listener again, and what was held back.
    mutating func end(
        _ listener: JobListener, on thread: UnsafeMutablePointer<Trampoline>
    ) -> (sendsAgain: Bool, released: [@Sendable () -> Void]) {
        listener.isRunning = false
        if let index = callers.lastIndex(of: thread) { callers.remove(at: index) }
        let sendsAgain = listener.missed > 0
        if sendsAgain { listener.missed -= 1 }
        var released: [@Sendable () -> Void] = []
        if callers.isEmpty { swap(&released, &held) }
        return (sendsAgain, released)
    }

    /// Whether a listener is being called on another thread.
    func isCalling(besides thread: UnsafeMutablePointer<Trampoline>) -> Bool {
        callers.contains { $0 != thread }
    }
}

/// First in, first out.
struct JobQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    mutating func append(_ element: Element) { elements.append(element) }

    /// - Complexity: O(1), amortized.
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            // A long queue gives its memory back; a short one is used again and again.
            elements.removeAll(keepingCapacity: head <= 16)
            head = 0
        } else if head >= 1024, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
