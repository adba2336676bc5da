// SPDX-License-Identifier: Apache-2.0

/// The reports that the listeners of a job have yet to get, and the listeners that are being
/// called. The job's lock guards both.
///
/// Each call to be made is in one place only: due, on its way to a context, or missed there. So a
/// context gets one closure for each, and each closure calls its listener once at most.
final class JobReports: @unchecked Sendable {
    // because the lock of the job guards it.
    // The runtime's own checks of exclusive access would cost a third of a report.
    @exclusivity(unchecked) private(set) var listeners: [JobListener] = []
    /// The listeners that the delivering thread is to call, or to have called on their contexts.
    @exclusivity(unchecked) private var due = JobQueue<JobListener>()
    /// The threads on which contexts are calling listeners.
    @exclusivity(unchecked) private var callers: [UnsafeMutableRawPointer] = []
    /// The actions that continue once no listener is being called.
    @exclusivity(unchecked) private var held: [@Sendable () -> Void] = []

    func add(_ listener: JobListener) {
        listeners.append(listener)
    }

    /// Removes a listener. Returns it for release outside the lock.
    ///
    /// - Complexity: O(listeners).
    func remove(_ number: Int) -> JobListener? {
        listeners.firstIndex { $0.number == number }.map { listeners.remove(at: $0) }
    }

    /// Removes all listeners. Returns them for release outside the lock.
    func close() -> [JobListener] {
        var closed: [JobListener] = []
        swap(&closed, &listeners)
        return closed
    }

    /// Has all listeners get `progress`. Returns what the reports carry that it replaces, for release
    /// outside the lock.
    ///
    /// - Complexity: O(listeners). Allocates for those that get all, and for what it returns.
    func post(_ progress: JobProgress) -> [any Sendable] {
        var replaced: [any Sendable] = []
        for listener in listeners {
            let (isDue, unheard) = listener.add(progress)
            if isDue { due.append(listener) }
            if let unheard = unheard?.userInfo { replaced.append(unheard) }
        }
        return replaced
    }

    /// The next listener to call.
    func nextDue() -> JobListener? {
        due.popFirst()
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
        guard let progress = listener.take() else { return nil }
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
