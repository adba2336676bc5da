// SPDX-License-Identifier: Apache-2.0

/// A closure as two words, the payload of a pending future. Wrapped in a struct, it needs no thunk.
@frozen @usableFromInline
struct Transform<Input, Output> {
    @usableFromInline let run: @Sendable (Input) -> Output

    @inlinable
    init(_ run: @escaping @Sendable (Input) -> Output) {
        self.run = run
    }
}

/// As ``Transform``, for a closure that returns nothing.
@frozen @usableFromInline
package struct Effect<Input> {
    @usableFromInline package let run: @Sendable (Input) -> Void

    @inlinable
    package init(_ run: @escaping @Sendable (Input) -> Void) {
        self.run = run
    }
}

extension FuturePointer {
    /// Stores `run` until the step takes it out.
    @inlinable
    func keep<Input>(callback run: consuming @escaping @Sendable (Input) -> Void) {
        payload.initializeMemory(as: Effect<Input>.self, to: Effect(run))
    }

    /// Takes out the closure that ``keep(callback:)`` has stored.
    @inlinable
    func takenCallback<Input>(_: Input.Type) -> Effect<Input> {
        payload.assumingMemoryBound(to: Effect<Input>.self).move()
    }

    /// Stores `run` until the step takes it out.
    @inlinable
    func keep<Input, Output>(_ run: consuming @escaping @Sendable (Input) -> Output) {
        payload.initializeMemory(as: Transform<Input, Output>.self, to: Transform(run))
    }

    /// Takes out the closure that ``keep(_:)`` has stored.
    @inlinable
    func taken<Input, Output>(
        _: Input.Type, _: Output.Type
    ) -> Transform<Input, Output> {
        payload.assumingMemoryBound(to: Transform<Input, Output>.self).move()
    }
}
