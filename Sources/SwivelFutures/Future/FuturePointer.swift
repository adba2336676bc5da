// SPDX-License-Identifier: Apache-2.0

/// A future as a pointer to its cell. It counts no references: the code that has one ensures that the
/// future exists.
@frozen @usableFromInline
struct FuturePointer: Equatable, @unchecked Sendable {
    // because the cell's fields name their owners.
    @usableFromInline let cell: UnsafeMutablePointer<FutureCell>

    @inlinable
    init(_ cell: UnsafeMutablePointer<FutureCell>) {
        self.cell = cell
    }

    /// The cell of `object`, which is a ``Future`` or a ``Callback``: its only stored property,
    /// behind the two words of its header.
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

    /// The memory of the closure before completion, and of the result after it.
    @inlinable
    var payload: UnsafeMutableRawPointer {
        // Not `&cell.pointee.words`: that would be a modifying access, and several threads may read
        // a result at the same time.
        UnsafeMutableRawPointer(cell)
    }

    /// The future.
    @inlinable
    var object: Unmanaged<AnyObject> {
        .fromOpaque(UnsafeMutableRawPointer(cell) - Self.header)
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

    var opaque: UnsafeMutableRawPointer { UnsafeMutableRawPointer(cell) }

    /// Selects one of 64 locks. The future need not exist any more.
    var hash: Int {
        // Fibonacci hashing: the upper bits of the product depend on all of the address.
        Int(truncatingIfNeeded: (UInt64(bits) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }
}

// A value in three words: in them if it fits there, else in memory of its own, whose address is in
// the first.
extension UnsafeMutableRawPointer {
    /// Whether a value fits into the three words. The compiler knows.
    @inlinable
    package static func fits<Value>(_: Value.Type) -> Bool {
        MemoryLayout<Value>.size <= 3 * MemoryLayout<UInt>.size
            && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
    }

    /// The value that ``hold(_:)`` has stored.
    @inlinable
    package func held<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
        Self.fits(type)
            ? assumingMemoryBound(to: Value.self)
            : assumingMemoryBound(to: UnsafeMutablePointer<Value>.self).pointee
    }

    /// Stores a value.
    @inlinable
    package func hold<Value>(_ value: Value) {
        if Self.fits(Value.self) {
            initializeMemory(as: Value.self, to: value)
        } else {
            let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            memory.initialize(to: value)
            initializeMemory(as: UnsafeMutablePointer<Value>.self, to: memory)
        }
    }

    /// Destroys the value that ``hold(_:)`` has stored.
    @inlinable
    package func drop<Value>(_ type: Value.Type) {
        let value = held(type)
        value.deinitialize(count: 1)
        if !Self.fits(type) { value.deallocate() }
    }
}

extension FuturePointer {
    /// The result of a future that has one.
    @inlinable
    func outcome<Outcome>(_ type: Outcome.Type) -> UnsafeMutablePointer<Outcome> {
        payload.held(type)
    }

    /// Writes the result and has the callbacks run. The caller has the right to complete.
    @inlinable
    func resolve<Value, Failure>(_ outcome: Result<Value, Failure>) {
        typealias Outcome = Result<Value, Failure>
        payload.hold(outcome)
        cell.pointee.step = { future, reports in
            if reports != nil { future.reportUnobserved(future.outcome(Outcome.self).pointee) }
            future.payload.drop(Outcome.self)
        }
        finish()
    }
}
