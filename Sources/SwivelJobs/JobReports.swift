// SPDX-License-Identifier: Apache-2.0

/// What the listeners of a job have still to hear, and who is hearing it. The job's lock guards it.
///
/// Each thing to be heard is in one place only: due, on its way to a context, or missed there. So a
/// context gets one closure for each, and each closure calls its listener once at most.
struct JobReports {
    private(set) var listeners: [JobListener] = []
    /// The latest progress, while anyone is behind.
    private var latest: JobProgress?
    private var behind = 0
    /// Who is to be called, or sent for, by the thread that delivers.
    private var due = JobQueue<JobListener>()
    /// The threads on which contexts are calling listeners.
    private var callers: [UnsafeMutableRawPointer] = []
    /// What goes on when nobody is called elsewhere any more.
    private var held: [@Sendable () -> Void] = []

    var hasDue: Bool { !due.isEmpty }

    mutating func add(_ listener: JobListener) {
        listeners.append(listener)
    }

    /// Nobody listens any more. Returns what is to be released outside the lock.
    mutating func close() -> [JobListener] {
        var closed: [JobListener] = []
        swap(&closed, &listeners)
        return closed
    }

    /// All are to hear `progress`. Returns what nobody will hear any more.
    ///
    /// - Complexity: O(listeners); allocates for those only that hear all.
    mutating func post(_ progress: JobProgress) -> JobProgress? {
        for listener in listeners {
            if listener.hearsAll {
                listener.backlog.append(progress)
            } else if listener.isBehind {
                continue
            } else {
                listener.isBehind = true
                behind += 1
            }
            due.append(listener)
        }
        guard behind > 0 else { return nil }
        defer { latest = progress }
        return latest
    }

    /// The next one to be called or sent for.
    mutating func nextDue() -> JobListener? {
        due.popFirst()
    }

    /// What the listener is to hear next.
    mutating func take(for listener: JobListener) -> JobProgress? {
        if listener.hearsAll { return listener.backlog.popFirst() }
        guard listener.isBehind else { return nil }
        listener.isBehind = false
        behind -= 1
        return behind == 0 ? latest.take() : latest
    }

    /// The context of a listener calls it. Returns what it is to hear; `nil`: it is being called
    /// already, and will be sent for again.
    mutating func begin(
        _ listener: JobListener, on thread: UnsafeMutableRawPointer
    ) -> JobProgress? {
        if listener.isRunning {
            listener.missed += 1
            return nil
        }
        guard let progress = take(for: listener) else { return nil }
        listener.isRunning = true
        callers.append(thread)
        return progress
    }

    /// The call is over. Returns whether to send for the listener again, and what was held back.
    mutating func end(
        _ listener: JobListener, on thread: UnsafeMutableRawPointer
    ) -> (sendsAgain: Bool, released: [@Sendable () -> Void]) {
        listener.isRunning = false
        if let index = callers.lastIndex(of: thread) { callers.remove(at: index) }
        let sendsAgain = listener.missed > 0
        if sendsAgain { listener.missed -= 1 }
        var released: [@Sendable () -> Void] = []
        if callers.isEmpty { swap(&released, &held) }
        return (sendsAgain, released)
    }

    /// Whether a context is calling a listener on another thread.
    func isCalling(besides thread: UnsafeMutableRawPointer) -> Bool {
        callers.contains { $0 != thread }
    }

    /// Has `step` done when nobody is called elsewhere any more.
    mutating func hold(_ step: @escaping @Sendable () -> Void) {
        held.append(step)
    }
}
