// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

// A task's wait for a future: a callback that resumes the task when the future is over, or when the
// task's cancellation removes it.
extension FuturePointer {
    /// Suspends until there is a result; stops the program if there will never be one.
    /// - Returns: False: the task was cancelled before.
    @usableFromInline
    static func suspend(for future: any AnyObject & Sendable, untilCancelled: Bool) async -> Bool {
        defer { extendLifetime(future) }
        let pointer = FuturePointer(to: future)
        let wait = Callback(at: .direct)
        let hasResult: Bool
        if untilCancelled {
            hasResult = await withTaskCancellationHandler {
                await withUnsafeContinuation { wait.begin($0, for: pointer, isRemovable: true) }
            } onCancel: {
                wait.removeIfSecond()
            }
        } else {
            hasResult = await withUnsafeContinuation {
                wait.begin($0, for: pointer, isRemovable: false)
            }
        }
        if let cause = pointer.causeOfAbandonment {
            trap("a wait that would never end: \(cause.reason)")
        }
        return hasResult
    }
}

extension Callback {
    /// Registers the callback with `future`, which the caller keeps.
    func begin(
        _ continuation: UnsafeContinuation<Bool, Never>, for future: FuturePointer,
        isRemovable: Bool
    ) {
        pointer.keep(continuation)
        cell.step = { wait, source in
            let continuation = wait.take(UnsafeContinuation<Bool, Never>.self)
            continuation.resume(returning: source != wait)
        }
        guard isRemovable else { return future.register(self) }
        future.register(removable: self)
        removeIfSecond()
    }

    /// Called once after the registration, and once by a cancel, which may come first: the second
    /// call removes the callback. The claim orders the two.
    func removeIfSecond() {
        if !pointer.claim() { remove() }
        extendLifetime(self)
    }
}
