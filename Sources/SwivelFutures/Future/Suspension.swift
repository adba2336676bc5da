// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// A task's wait for a future, which the future's end or the task's cancellation ends.
final class Suspension: @unchecked Sendable {
    // because `continuation` is written before `ready` is set, and used by whoever sees both bits first.
    private var continuation: UnsafeContinuation<Bool, Never>?
    private let state = Atomic<UInt8>(0)

    /// The continuation is there.
    private static let ready: UInt8 = 1
    /// The wait is over because there is a result.
    private static let result: UInt8 = 2
    /// The wait is over because the task was cancelled.
    private static let cancelled: UInt8 = 4

    /// The task is suspended. False: the wait was over before.
    func begin(_ continuation: UnsafeContinuation<Bool, Never>) -> Bool {
        self.continuation = continuation
        let old = state.bitwiseOr(Self.ready, ordering: .acquiringAndReleasing).oldValue
        if old != 0 {
            continuation.resume(returning: false)
        }
        return old == 0
    }

    /// There is a result, or there will never be one.
    func end() {
        resume(Self.result)
    }

    /// The task was cancelled.
    func cancel() {
        resume(Self.cancelled)
    }

    private func resume(_ reason: UInt8) {
        let old = state.bitwiseOr(reason, ordering: .acquiringAndReleasing).oldValue
        if old == Self.ready {
            continuation?.resume(returning: reason == Self.result)
        }
    }
}

extension AnyFuture {
    /// Suspends until there is a result; stops the program if there will never be one.
    ///
    /// - Returns: False: the task was cancelled before.
    @usableFromInline
    @discardableResult
    final func suspend(untilCancelled: Bool) async -> Bool {
        let hasResult = untilCancelled ? await suspendUntilCancelled() : await suspendUntilOver()
        if let cause = ref.causeOfAbandonment {
            trap("a wait that would never end: \(cause.text)")
        }
        return hasResult
    }

    private final func suspendUntilOver() async -> Bool {
        await withUnsafeContinuation { continuation in
            resume(continuation) { $0.resume(returning: true) }
        }
    }

    private final func suspendUntilCancelled() async -> Bool {
        let suspension = Suspension()
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if suspension.begin(continuation) {
                    resume(suspension) { $0.end() }
                }
            }
        } onCancel: {
            suspension.cancel()
        }
    }

    /// Has `wait` ended by `end` when this future is over. It is a word, and lies in the callback.
    private final func resume<Wait>(_ wait: Wait, _ end: @escaping @Sendable (Wait) -> Void) {
        let callback = AnyFuture()
        callback.ref.place.initializeMemory(as: Wait.self, to: wait)
        callback.cell.step = { callback, _ in
            end(callback.place.assumingMemoryBound(to: Wait.self).move())
        }
        register(callback)
    }
}
