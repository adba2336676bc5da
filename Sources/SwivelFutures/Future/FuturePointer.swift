// SPDX-License-Identifier: Apache-2.0

/// A future as a pointer to its cell, which counts no references: whoever holds one knows why the
/// future is still there.
@frozen @usableFromInline
struct FutureRef: Equatable, @unchecked Sendable {
    // because the cell's fields name their owners.
    @usableFromInline let cell: UnsafeMutablePointer<FutureCell>

    @inlinable
    init(_ cell: UnsafeMutablePointer<FutureCell>) {
        self.cell = cell
    }

    /// The cell of `object`: its first stored property, behind the two words of its header.
    @inlinable
    init(_ object: Unmanaged<AnyFuture>) {
        cell = (object.toOpaque() + Self.header).assumingMemoryBound(to: FutureCell.self)
    }

    @inlinable
    static var header: Int { 2 * MemoryLayout<UInt>.size }

    /// Where the closure lies before completion, and the result after it.
    @inlinable
    var place: UnsafeMutableRawPointer {
        // Not by way of `&cell.pointee.words`, which is an access that modifies: several threads read a
        // result at the same time, and ThreadSanitizer says so.
        UnsafeMutableRawPointer(cell)
    }

    /// The future.
    @inlinable
    var object: Unmanaged<AnyFuture> {
        .fromOpaque(UnsafeMutableRawPointer(cell) - Self.header)
    }

    /// Takes a reference, which the pointer stands for from here on.
    @inlinable
    func retained() -> FutureRef {
        _ = object.retain()
        return self
    }

    /// Gives the reference back that the pointer stands for.
    @inlinable
    func release() {
        object.release()
    }
}

// The pointer as a word.
extension FutureRef {
    init?(bits: UInt) {
        guard let cell = UnsafeMutablePointer<FutureCell>(bitPattern: bits) else { return nil }
        self.cell = cell
    }

    init?(_ opaque: UnsafeMutableRawPointer?) {
        guard let opaque else { return nil }
        cell = opaque.assumingMemoryBound(to: FutureCell.self)
    }

    var bits: UInt { UInt(bitPattern: cell) }

    var opaque: UnsafeMutableRawPointer { UnsafeMutableRawPointer(cell) }
}

// Where the result lies: in the cell if it has room there, else in a piece of memory of its own.
extension FutureRef {
    /// Whether a result fits into the cell's three words.
    @inlinable
    static func isInline<Outcome>(_: Outcome.Type) -> Bool {
        MemoryLayout<Outcome>.size <= 3 * MemoryLayout<UInt>.size
            && MemoryLayout<Outcome>.alignment <= MemoryLayout<UInt>.alignment
    }

    /// The result. Only once there is one.
    @inlinable
    func outcome<Outcome>(_ type: Outcome.Type) -> UnsafeMutablePointer<Outcome> {
        Self.isInline(type)
            ? place.assumingMemoryBound(to: Outcome.self)
            : place.assumingMemoryBound(to: UnsafeMutablePointer<Outcome>.self).pointee
    }

    /// Writes the result and has the callbacks run. The right to complete is the caller's.
    @inlinable
    func resolve<Value, Failure>(_ outcome: Result<Value, Failure>) {
        typealias Outcome = Result<Value, Failure>
        if Self.isInline(Outcome.self) {
            place.initializeMemory(as: Outcome.self, to: outcome)
            cell.pointee.step = { future, tells in
                let outcome = future.place.assumingMemoryBound(to: Outcome.self)
                if tells != nil { future.tell(outcome.pointee) }
                outcome.deinitialize(count: 1)
            }
        } else {
            let box = UnsafeMutablePointer<Outcome>.allocate(capacity: 1)
            box.initialize(to: outcome)
            place.initializeMemory(as: UnsafeMutablePointer<Outcome>.self, to: box)
            cell.pointee.step = { future, tells in
                let outcome = future.outcome(Outcome.self)
                if tells != nil { future.tell(outcome.pointee) }
                outcome.deinitialize(count: 1)
                outcome.deallocate()
            }
        }
        finish()
    }
}
