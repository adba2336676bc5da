// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Runs a function when it is released, unless it was dismissed before.
///
/// A closure that captures a notice reports that it is released without a call: by a context that
/// takes no work, a cancelled timer, a loop that shuts down.
///
/// **Thread:** any. The function runs on the thread that releases the last reference, or that calls
/// ``run()``. It should capture nothing, so that the notice is one allocation.
package final class DropNotice<Payload: Sendable>: Sendable {
    private let isOver = Atomic(false)
    private let body: @Sendable (Payload) -> Void
    package let payload: Payload

    /// A notice that calls `body` with `payload`, once at most.
    package init(_ payload: Payload, _ body: @escaping @Sendable (Payload) -> Void) {
        self.body = body
        self.payload = payload
    }

    /// Keeps the function from running, unless it has run. Returns the payload.
    @discardableResult
    package func dismiss() -> Payload {
        // Relaxed: the reference count orders this before the release of the last reference.
        isOver.store(true, ordering: .relaxed)
        return payload
    }

    /// Runs the function now instead of at the release. Only the first call does anything.
    package func run() {
        // Relaxed: the exchange decides who runs it, and publishes nothing else.
        if !isOver.exchange(true, ordering: .relaxed) { body(payload) }
    }

    deinit { run() }
}
