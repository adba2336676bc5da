// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// One suspension of a task. It ends once, however often it is asked to.
final class Pause: Sendable {
    private enum State {
        case open
        case waiting(UnsafeContinuation<Void, Never>)
        case over
    }

    private let state = Lock(State.open)

    /// Suspends the task until ``end()``, or for `limit` of real time.
    func wait(atMost limit: Duration) async {
        let timer = Loop.shared.schedule(after: limit) { self.end() }
        await withUnsafeContinuation { task in
            let isOver = state.withLock { state in
                if case .over = state { return true }
                state = .waiting(task)
                return false
            }
            if isOver {
                task.resume()
            }
        }
        timer.cancel()
    }

    /// **Thread:** any, any number of times.
    func end() {
        let task = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            defer { state = .over }
            if case .waiting(let task) = state { return task }
            return nil
        }
        task?.resume()
    }
}
