// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// A task's wait for a future, which the future's end or the task's cancellation ends.
final class Suspension: @unchecked Sendable {
    // because `continuation` is written before `ready` is set, and used by whoever sees both bits
    // first; so is `visit`, by `begun` and `cancelled`.
    private var continuation: UnsafeContinuation<Bool, Never>?
    private var visit: Visit?
    private let state = Atomic<UInt8>(0)

    /// The continuation is there.
    private static let ready: UInt8 = 1
    /// The wait is over because there is a result.
    private static let result: UInt8 = 2
    /// The wait is over because the task was cancelled.
    private static let cancelled: UInt8 = 4
    /// The future has the callback.
    private static let begun: UInt8 = 8

    /// The task is suspended until `future` is over. At once, if the wait was over before.
    func begin(_ continuation: UnsafeContinuation<Bool, Never>, for future: AnyFuture) {
        self.continuation = continuation
        if set(Self.ready) != 0 {
            continuation.resume(returning: false)
            return
        }
        let visit = future.receive(self) { $0.end() }
        self.visit = visit
        if set(Self.begun) & Self.cancelled != 0 {
            visit.end()
        }
    }

    /// There is a result, or there will never be one.
    func end() {
        resume(Self.result)
    }

    /// The task was cancelled.
    func cancel() {
        if resume(Self.cancelled) & Self.begun != 0 {
            visit?.end()
        }
    }

    /// Returns the state before.
    @discardableResult
    private func resume(_ reason: UInt8) -> UInt8 {
        let old = set(reason)
        if old & (Self.ready | Self.result | Self.cancelled) == Self.ready {
            continuation?.resume(returning: reason == Self.result)
        }
        return old
    }

    private func set(_ bit: UInt8) -> UInt8 {
        state.bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue
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
            let callback = AnyFuture()
            callback.keep(continuation) { $0.resume(returning: true) }
            register(callback)
        }
    }

    private final func suspendUntilCancelled() async -> Bool {
        let suspension = Suspension()
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                suspension.begin(continuation, for: self)
            }
        } onCancel: {
            suspension.cancel()
        }
    }

    /// Has `wait` ended by `end` when this future is over, unless the visit is ended before.
    fileprivate final func receive<Wait: Sendable>(
        _ wait: Wait, _ end: @escaping @Sendable (Wait) -> Void
    ) -> Visit {
        let visit = Visit { _ = $0.place.assumingMemoryBound(to: Wait.self).move() }
        visit.visitor.keep(wait, end)
        receive(visit.visitor)
        return visit
    }

    /// Has this callback end `wait` by `end`. It is a word, and lies in the callback.
    private final func keep<Wait>(_ wait: Wait, _ end: @escaping @Sendable (Wait) -> Void) {
        ref.place.initializeMemory(as: Wait.self, to: wait)
        cell.step = { callback, _ in
            end(callback.place.assumingMemoryBound(to: Wait.self).move())
        }
    }
}
