// SPDX-License-Identifier: Apache-2.0

/// The reports that the listeners of a job have yet to get, and the listeners that are being
/// called. The job's lock guards both.
///
/// Each call to be made is in one place only: due, on its way to a context, or missed there. So a
/// context gets one closure for each, and each closure calls its listener once at most.
final class JobReports: @unchecked Sendable {
    // because the lock of the job guards it.
    private(set) var listeners: [JobListener] = []
    /// The latest progress, while anyone is behind.
    private var latest: JobProgress?
    private var behind = 0
    /// The listeners that the delivering thread is to call, or to have called on their contexts.
    private var due = JobQueue<JobListener>()
    /// The threads on which contexts are calling listeners.
    private var callers: [UnsafeMutableRawPointer] = []
    /// The actions that continue once no listener is being called.
    private var held: [@Sendable () -> Void] = []

    func add(_ listener: JobListener) {
        listeners.append(listener)
    }

    /// Removes all listeners. Returns them for release outside the lock.
    func close() -> [JobListener] {
        var closed: [JobListener] = []
        swap(&closed, &listeners)
        return closed
    }

    /// Has all listeners get `progress`. Returns progress that nobody will get any more.
    ///
    /// - Complexity: O(listeners). Allocates only for those that get all.
    func post(_ progress: JobProgress) -> JobProgress? {
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

    /// The next listener to call.
    func nextDue() -> JobListener? {
        due.popFirst()
    }

    /// Takes the listener's next report.
    func take(for listener: JobListener) -> JobProgress? {
        if listener.hearsAll { return listener.backlog.popFirst() }
        guard listener.isBehind else { return nil }
        listener.isBehind = false
        behind -= 1
        return behind == 0 ? latest.take() : latest
    }

    /// A listener's context is about to call it. Returns what it gets; `nil`: it is being called
    /// already, and will be called again.
    func begin(
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

    /// The call has returned. Returns whether to call the listener again, and what was held back.
    func end(
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

    /// Whether a listener is being called on another thread.
    func isCalling(besides thread: UnsafeMutableRawPointer) -> Bool {
        callers.contains { $0 != thread }
    }

    /// Has `action` run once no listener is being called.
    func hold(_ action: @escaping @Sendable () -> Void) {
        held.append(action)
    }
}
