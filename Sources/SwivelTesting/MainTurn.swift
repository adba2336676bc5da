// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import SwivelCore

/// A job of the main actor, behind those that are queued there.
enum MainTurn {
    /// Jobs that the main thread did not run in time and has not run since: it is busy. A job that is
    /// run just then may count as run before it counts as overdue.
    private static let overdue = Atomic(0)

    /// Waits until the main thread has run the jobs that are queued there now, but no longer than
    /// `limit`, and not at all if it is busy.
    static func take(atMost limit: Duration) async {
        if overdue.load(ordering: .relaxed) > 0 {
            return
        }
        let pause = Pause()
        TrackedWork.withoutTracking {
            _ = Task.detached { @MainActor in
                if !pause.end() { overdue.subtract(1, ordering: .relaxed) }
            }
        }
        if await !pause.ends(within: limit) {
            overdue.add(1, ordering: .relaxed)
        }
    }
}
