// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import Synchronization

extension TimerHandle {
    /// Cancels the timer and waits for the closure's end if it is running.
    ///
    /// In a task that the closure itself waits for, the call never returns.
    ///
    /// **Thread:** any; suspends, blocks nothing.
    /// - Returns: The outcome, as for ``cancel()``. After ``CancelResult/running`` the closure has
    ///   returned, and the closure of a repeating timer has been released.
    /// - Complexity: O(1); a few allocations while the closure is running.
    public func cancelAndWait() async -> CancelResult {
        let result = cancel()
        if result == .running {
            await withCheckedContinuation { continuation in
                EndWatch.shared.wait(for: self) { continuation.resume() }
            }
        }
        return result
    }
}

/// The tasks that wait for running closures to end.
package final class EndWatch: Sendable {
    package static let shared = EndWatch()

    private let waiting = Lock<[TimerHandle: [@Sendable () -> Void]]>.ofProcess { _ in [:] }

    /// Calls `body` once the closure has ended; at once if it is not running.
    package func wait(for handle: TimerHandle, _ body: @escaping @Sendable () -> Void) {
        if let table = handle.table {
            if table.find(handle.id)?.watch(body) != true { body() }
            return
        }
        // Registered first: the end may be reported before `swivel_watch` returns.
        waiting.withLock { $0[handle, default: []].append(body) }
        if !swivel_watch(handle.timer) {
            ended(handle)
        }
    }

    /// The closure has ended.
    func ended(_ handle: TimerHandle) {
        let bodies = waiting.withLock { $0.removeValue(forKey: handle) }
        bodies?.forEach { $0() }
    }
}
