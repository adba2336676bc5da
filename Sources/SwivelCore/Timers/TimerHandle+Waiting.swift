// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import Synchronization

extension TimerHandle {
    /// Cancels, and waits for the closure's end if it is under way.
    ///
    /// Inside a task that the closure itself waits for this cannot end.
    ///
    /// **Thread:** any; suspends, blocks nothing.
    /// - Returns: As ``cancel()``; after ``CancelResult/running`` the closure has returned, and the
    ///   closure of a repeating timer has been released.
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

/// Who waits for which closure to end.
package final class EndWatch: Sendable {
    package static var shared: EndWatch { FirstUse.of(only) }
    private static let only = EndWatch()

    private let waiting = Lock<[TimerHandle: [@Sendable () -> Void]]>([:])

    /// Calls `body` once the closure that is under way has ended; at once if none is.
    package func wait(for handle: TimerHandle, _ body: @escaping @Sendable () -> Void) {
        if let store = handle.store {
            if !store.watch(handle.id, body) {
                body()
            }
            return
        }
        // Registered first: the end may be announced before `swivel_watch` returns.
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
