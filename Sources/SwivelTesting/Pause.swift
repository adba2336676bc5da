// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// One suspension of a task. It ends once, however often ``end(inTime:)`` is called.
final class Pause: Sendable {
    /// Whether it ended in time, once it has ended; and the task that waits.
    private let state = Lock(
        (inTime: Bool?.none, task: UnsafeContinuation<Bool, Never>?.none))

    /// Suspends the task until ``end(inTime:)``, or for `limit` of real time.
    func wait(atMost limit: Duration) async { _ = await ends(within: limit) }

    /// Waits likewise. Returns false if the limit has ended the wait.
    func ends(within limit: Duration) async -> Bool {
        let timer = Loop.shared.schedule(after: limit) { self.end(inTime: false) }
        defer { timer.cancel() }
        return await withUnsafeContinuation { task in
            let inTime = state.withLock { state in
                state.task = task
                return state.inTime
            }
            if let inTime { task.resume(returning: inTime) }
        }
    }

    /// Returns false if it had ended before. **Thread:** any, any number of times.
    @discardableResult
    func end(inTime: Bool = true) -> Bool {
        let (isFirst, task) = state.withLock { state in
            defer { state.inTime = state.inTime ?? inTime }
            return (state.inTime == nil, state.task)
        }
        if isFirst { task?.resume(returning: inTime) }
        return isFirst
    }
}

/// A job of the main actor, behind those that are queued there.
enum MainTurn {
    /// Jobs that the main thread did not run in time and has not run since: it is busy. A job that
    /// is run just then may count as run before it counts as overdue.
    private static let overdue = Atomic(0)

    /// Waits until the main thread has run the jobs that are queued there now, but no longer than
    /// `limit`, and not at all if it is busy.
    static func take(atMost limit: Duration) async {
        if overdue.load(ordering: .relaxed) > 0 { return }
        let pause = Pause()
        TrackedWork.withoutTracking {
            _ = Task.detached { @MainActor in
                if !pause.end() { overdue.subtract(1, ordering: .relaxed) }
            }
        }
        if await !pause.ends(within: limit) { overdue.add(1, ordering: .relaxed) }
    }
}
