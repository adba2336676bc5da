// SPDX-License-Identifier: Apache-2.0

/// A closure as the two words that lie in a waiting future.
@frozen @usableFromInline
struct Transform<Input, Output> {
    @usableFromInline let run: @Sendable (Input) -> Output

    @inlinable
    init(_ run: @escaping @Sendable (Input) -> Output) {
        self.run = run
    }
}

/// As ``Transform``, for a closure that returns nothing: as a `Transform` it would need a thunk.
@frozen @usableFromInline
struct Callback<Input> {
    @usableFromInline let run: @Sendable (Input) -> Void

    @inlinable
    init(_ run: @escaping @Sendable (Input) -> Void) {
        self.run = run
    }
}

extension FutureRef {
    /// Keeps `run` until the step takes it.
    @inlinable
    func keep<Input>(callback run: @escaping @Sendable (Input) -> Void) {
        place.initializeMemory(as: Callback<Input>.self, to: Callback(run))
    }

    /// Takes the closure that ``keep(callback:)`` has kept.
    @inlinable
    func takenCallback<Input>(_: Input.Type) -> Callback<Input> {
        place.assumingMemoryBound(to: Callback<Input>.self).move()
    }

    /// Keeps `run` until the step takes it.
    @inlinable
    func keep<Input, Output>(_ run: @escaping @Sendable (Input) -> Output) {
        place.initializeMemory(as: Transform<Input, Output>.self, to: Transform(run))
    }

    /// Takes the closure that ``keep(_:)`` has kept.
    @inlinable
    func taken<Input, Output>(
        _: Input.Type, _: Output.Type
    ) -> Transform<Input, Output> {
        place.assumingMemoryBound(to: Transform<Input, Output>.self).move()
    }
}
