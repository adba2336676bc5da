// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import SwivelCore

/// A job of the main actor, behind those that are queued there.
final class MainTurn: Sendable {
    private enum State {
        static let waiting = 0
        static let over = 1
        static let overdue = 2
    }

    /// Jobs that the main thread did not run in time and has not run since: it is busy.
    private static let overdue = Atomic(0)

    private let state = Atomic(State.waiting)
    private let pause = Pause()

    /// Waits until the main thread has run the jobs that are queued there now, but no longer than
    /// `limit`, and not at all if it is busy.
    static func take(atMost limit: Duration) async {
        if overdue.load(ordering: .relaxed) > 0 {
            return
        }
        let turn = MainTurn()
        Errands.withoutFollowing {
            _ = Task.detached { @MainActor in turn.end() }
        }
        await turn.wait(atMost: limit)
    }

    private func wait(atMost limit: Duration) async {
        await pause.wait(atMost: limit)
        let (isOverdue, _) = state.compareExchange(
            expected: State.waiting, desired: State.overdue, ordering: .relaxed)
        if isOverdue {
            Self.overdue.add(1, ordering: .relaxed)
        }
    }

    private func end() {
        if state.exchange(State.over, ordering: .relaxed) == State.overdue {
            Self.overdue.subtract(1, ordering: .relaxed)
        }
        pause.end()
    }
}
