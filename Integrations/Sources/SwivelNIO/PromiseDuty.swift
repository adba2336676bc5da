// SPDX-License-Identifier: Apache-2.0
#if NIO
internal import NIOCore
internal import SwivelCore
internal import Synchronization

/// Completes a promise of NIO once: with a result, or at its release as abandoned. NIO stops debug
/// builds when a promise is released uncompleted.
final class PromiseDuty<Value: Sendable>: Sendable {
    private let promise: Mutex<EventLoopPromise<Value>?>

    init(_ promise: EventLoopPromise<Value>) {
        self.promise = Mutex(promise)
    }

    /// Completes the promise. Only the first call does anything.
    func complete(_ result: Result<Value, any Error>) {
        // Taken under the lock, completed outside of it: callbacks may run inside the completion.
        promise.withLock { $0.take() }?.completeWith(result)
    }

    deinit {
        complete(
            .failure(
                SwivelError(.abandoned, "nobody is left to complete the future of an event loop")))
    }
}
#endif
