// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import SwivelCore

/// A job that the main thread runs in its turn.
final class MainTurn: Sendable {
    private enum State {
        static let waiting = 0
        static let over = 1
        static let overdue = 2
    }

    /// Jobs that the main thread has not run in time, nor since: it is busy with something else.
    private static let overdue = Atomic(0)

    private let state = Atomic(State.waiting)
    private let pause = Pause()

    /// Waits until the main thread has run what is queued there now; not if it is busy, or longer than
    /// `limit`.
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
