// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// One suspension of a task. It ends once, however often it is asked to.
final class Pause: Sendable {
    private enum State {
        case open
        case waiting(UnsafeContinuation<Bool, Never>)
        case over(inTime: Bool)
    }

    private let state = Lock(State.open)

    /// Suspends the task until ``end(inTime:)``, or for `limit` of real time.
    func wait(atMost limit: Duration) async { _ = await ends(within: limit) }

    /// Waits likewise. Returns false if the limit has ended the wait.
    func ends(within limit: Duration) async -> Bool {
        let timer = Loop.shared.schedule(after: limit) { self.end(inTime: false) }
        defer { timer.cancel() }
        return await withUnsafeContinuation { task in
            let result = state.withLock { state -> Bool? in
                if case .over(let inTime) = state { return inTime }
                state = .waiting(task)
                return nil
            }
            if let result {
                task.resume(returning: result)
            }
        }
    }

    /// Returns false if it had ended before. **Thread:** any, any number of times.
    @discardableResult
    func end(inTime: Bool = true) -> Bool {
        let before = state.withLock { state in
            let before = state
            if case .over = before { return before }
            state = .over(inTime: inTime)
            return before
        }
        if case .over = before { return false }
        if case .waiting(let task) = before { task.resume(returning: inTime) }
        return true
    }
}
