// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// A task's wait for a future. The future's end or the task's cancellation ends it.
final class Suspension: @unchecked Sendable {
    // because `continuation` is written before `ready` is set, and used by the thread that sees both
    // `ready` and a reason first; `callback` likewise, with `registered` and `cancelled`.
    private var continuation: UnsafeContinuation<Bool, Never>?
    private var callback: Callback?
    private let state = Atomic<UInt8>(0)

    /// The continuation is there.
    private static let ready: UInt8 = 1
    /// The wait is over because there is a result.
    private static let result: UInt8 = 2
    /// The wait is over because the task was cancelled.
    private static let cancelled: UInt8 = 4
    /// The future has the callback.
    private static let registered: UInt8 = 8

    /// The task is suspended until `future`, which the caller keeps, is over. Resumes the task at
    /// once if it was cancelled before.
    func begin(_ continuation: UnsafeContinuation<Bool, Never>, for future: FuturePointer) {
        self.continuation = continuation
        if set(Self.ready) != 0 {
            continuation.resume(returning: false)
            return
        }
        let callback = Callback(ending: self) { $0.end() }
        self.callback = callback
        future.register(removable: callback)
        // Either this sees the cancel, or `cancel` sees the callback. If both do, one removes it.
        if set(Self.registered) & Self.cancelled != 0 {
            callback.remove()
        }
    }

    /// There is a result, or there will never be one.
    func end() {
        resume(Self.result)
    }

    /// The task was cancelled.
    func cancel() {
        if resume(Self.cancelled) & Self.registered != 0 {
            callback?.remove()
        }
    }

    /// Resumes the task for the first reason that is given. Returns the state before.
    @discardableResult
    private func resume(_ reason: UInt8) -> UInt8 {
        let old = set(reason)
        if old & (Self.ready | Self.result | Self.cancelled) == Self.ready {
            continuation?.resume(returning: reason == Self.result)
        }
        return old
    }

    private func set(_ bit: UInt8) -> UInt8 {
        // Release: the fields that the bit stands for. Acquire: those of the bits that are there.
        state.bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue
    }
}

extension FuturePointer {
    /// Suspends until there is a result; stops the program if there will never be one.
    ///
    /// - Returns: False: the task was cancelled before.
    @usableFromInline
    static func suspend(
        for future: any AnyObject & Sendable, untilCancelled: Bool
    ) async -> Bool {
        defer { extendLifetime(future) }
        let pointer = FuturePointer(to: future)
        let hasResult =
            untilCancelled
            ? await pointer.suspendUntilCancelled() : await pointer.suspendUntilOver()
        if let cause = pointer.causeOfAbandonment {
            trap("a wait that would never end: \(cause.reason)")
        }
        return hasResult
    }

    private func suspendUntilOver() async -> Bool {
        await withUnsafeContinuation { continuation in
            register(Callback(resuming: continuation))
        }
    }

    private func suspendUntilCancelled() async -> Bool {
        let suspension = Suspension()
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { suspension.begin($0, for: self) }
        } onCancel: {
            suspension.cancel()
        }
    }
}

extension Callback {
    fileprivate convenience init(resuming continuation: UnsafeContinuation<Bool, Never>) {
        self.init(ending: continuation) { $0.resume(returning: true) }
    }

    /// A callback that calls `end` with `wait`, which is one word, unless it is removed before.
    fileprivate convenience init<Wait>(
        ending wait: Wait, _ end: @escaping @Sendable (Wait) -> Void
    ) {
        self.init(at: .direct)
        pointer.payload.initializeMemory(as: Wait.self, to: wait)
        cell.step = { callback, source in
            let wait = callback.payload.assumingMemoryBound(to: Wait.self).move()
            if source != callback { end(wait) }
        }
    }
}
