// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension WorkerPool {
    /// Runs a future's callback on one of the pool's threads, as ``execute(_:)`` a closure, but
    /// without an object. In a child, a pool that was made before the `fork` releases it.
    ///
    /// **Thread:** any.
    package func accept(_ callback: CallbackWords) {
        if Tracking.tracker != nil {
            // Virtual time waits for the work, which an object keeps count of.
            let box = CallbackBox(callback)
            return execute { box.run() }
        }
        guard isAlive else { return callback.call(runs: false) }
        push(callback.words)
    }
}
