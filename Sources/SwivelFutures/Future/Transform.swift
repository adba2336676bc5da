// SPDX-License-Identifier: Apache-2.0

// Closures as the payload of a pending future: two words. Wrapped in a struct whose field has the
// closure's own type, they need no thunk, and so no allocation.

/// A closure that returns something.
@frozen @usableFromInline
struct Transform<Input, Output> {
    @usableFromInline let run: @Sendable (Input) -> Output

    @inlinable
    init(_ run: @escaping @Sendable (Input) -> Output) {
        self.run = run
    }
}

/// A closure that returns nothing.
@frozen @usableFromInline
struct Effect<Input> {
    @usableFromInline let run: @Sendable (Input) -> Void

    @inlinable
    init(_ run: @escaping @Sendable (Input) -> Void) {
        self.run = run
    }
}

extension FuturePointer {
    /// Stores `kept` until the step takes it out. It is three words at most.
    @inlinable
    func keep<Kept>(_ kept: consuming Kept) {
        payload.initializeMemory(as: Kept.self, to: kept)
    }

    /// Takes out what ``keep(_:)`` has stored.
    @inlinable
    func take<Kept>(_: Kept.Type) -> Kept {
        payload.assumingMemoryBound(to: Kept.self).move()
    }
}
