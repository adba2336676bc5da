// SPDX-License-Identifier: Apache-2.0

/// A future as a pointer to its cell. It counts no references: its holder ensures that the future
/// exists.
@frozen @usableFromInline
struct FuturePointer: Equatable, @unchecked Sendable {
    // because the cell's fields name their owners.
    @usableFromInline let cell: UnsafeMutablePointer<FutureCell>

    @inlinable
    init(_ cell: UnsafeMutablePointer<FutureCell>) {
        self.cell = cell
    }

    /// The cell of a ``Future`` or a ``Callback``: its only stored property, behind the header's
    /// two words.
    @inlinable
    init(_ object: Unmanaged<AnyObject>) {
        cell = (object.toOpaque() + Self.header).assumingMemoryBound(to: FutureCell.self)
    }

    /// As ``init(_:)``. The pointer does not keep the object.
    init(to object: AnyObject) {
        self.init(Unmanaged.passUnretained(object))
    }

    @inlinable
    static var header: Int { 2 * MemoryLayout<UInt>.size }

    /// The payload: the closure before completion, and the result after it. (`&cell.pointee.words`
    /// would be a modifying access, and several threads may read a result at the same time.)
    @inlinable
    var payload: UnsafeMutableRawPointer { UnsafeMutableRawPointer(cell) }

    /// The future.
    @inlinable
    var object: Unmanaged<AnyObject> {
        .fromOpaque(payload - Self.header)
    }

    /// Takes a reference, for which the pointer stands from here on.
    @inlinable
    func retained() -> FuturePointer {
        _ = object.retain()
        return self
    }

    /// Gives back the reference for which the pointer stands.
    @inlinable
    func release() {
        object.release()
    }
}

// The pointer as a word.
extension FuturePointer {
    init?(bits: UInt) {
        guard let cell = UnsafeMutablePointer<FutureCell>(bitPattern: bits) else { return nil }
        self.cell = cell
    }

    init?(_ opaque: UnsafeMutableRawPointer?) {
        self.init(bits: UInt(bitPattern: opaque))
    }

    var bits: UInt { UInt(bitPattern: cell) }

    var opaque: UnsafeMutableRawPointer { payload }

    /// Selects one of 64 locks. The future need not exist any more.
    var hash: Int {
        // Fibonacci hashing: the upper bits of the product depend on all of the address.
        Int(truncatingIfNeeded: (UInt64(bits) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }
}

// The payload: three words.
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

    /// Whether a value fits into the three words. The compiler knows.
    @inlinable
    static func fits<Value>(_: Value.Type) -> Bool {
        MemoryLayout<Value>.size <= 3 * MemoryLayout<UInt>.size
            && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
    }

    /// The result of a future that has one: in the three words if it fits there, else in memory of
    /// its own, whose address is in the first.
    @inlinable
    func outcome<Outcome>(_ type: Outcome.Type) -> UnsafeMutablePointer<Outcome> {
        Self.fits(type)
            ? payload.assumingMemoryBound(to: Outcome.self)
            : payload.assumingMemoryBound(to: UnsafeMutablePointer<Outcome>.self).pointee
    }

    /// Writes the result and has the callbacks run. The caller has the right to complete.
    @inlinable
    func resolve<Value, Failure>(_ outcome: Result<Value, Failure>) {
        typealias Outcome = Result<Value, Failure>
        if Self.fits(Outcome.self) {
            payload.initializeMemory(as: Outcome.self, to: outcome)
        } else {
            let memory = UnsafeMutablePointer<Outcome>.allocate(capacity: 1)
            memory.initialize(to: outcome)
            payload.initializeMemory(as: UnsafeMutablePointer<Outcome>.self, to: memory)
        }
        cell.pointee.step = { future, reports in
            let outcome = future.outcome(Outcome.self)
            if reports != nil { future.reportUnobserved(outcome.pointee) }
            outcome.deinitialize(count: 1)
            if !Self.fits(Outcome.self) { outcome.deallocate() }
        }
        finish()
    }
}

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
