// SPDX-License-Identifier: Apache-2.0

/// A future as a pointer to its cell. It counts no references: whoever has one knows why the future
/// still exists.
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

    /// The cell of `object`, which is a ``Future`` or a ``Callback``. The pointer does not keep it.
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
        guard let opaque else { return nil }
        cell = opaque.assumingMemoryBound(to: FutureCell.self)
    }

    var bits: UInt { UInt(bitPattern: cell) }

    var opaque: UnsafeMutableRawPointer { UnsafeMutableRawPointer(cell) }
}

// The result: in the cell if it fits there, else in memory of its own.
extension FuturePointer {
    /// Whether a value fits into the cell's three words.
    @inlinable
    static func isInline<T>(_: T.Type) -> Bool {
        MemoryLayout<T>.size <= 3 * MemoryLayout<UInt>.size
            && MemoryLayout<T>.alignment <= MemoryLayout<UInt>.alignment
    }

    /// The result of a future that has one.
    @inlinable
    func outcome<Outcome>(_ type: Outcome.Type) -> UnsafeMutablePointer<Outcome> {
        Self.isInline(type)
            ? payload.assumingMemoryBound(to: Outcome.self)
            : payload.assumingMemoryBound(to: UnsafeMutablePointer<Outcome>.self).pointee
    }

    /// Writes the result and has the callbacks run. The caller has the right to complete.
    @inlinable
    func resolve<Value, Failure>(_ outcome: Result<Value, Failure>) {
        typealias Outcome = Result<Value, Failure>
        if Self.isInline(Outcome.self) {
            payload.initializeMemory(as: Outcome.self, to: outcome)
            cell.pointee.step = { future, reports in
                let outcome = future.payload.assumingMemoryBound(to: Outcome.self)
                if reports != nil { future.reportUnobserved(outcome.pointee) }
                outcome.deinitialize(count: 1)
            }
        } else {
            let box = UnsafeMutablePointer<Outcome>.allocate(capacity: 1)
            box.initialize(to: outcome)
            payload.initializeMemory(as: UnsafeMutablePointer<Outcome>.self, to: box)
            cell.pointee.step = { future, reports in
                let outcome = future.outcome(Outcome.self)
                if reports != nil { future.reportUnobserved(outcome.pointee) }
                outcome.deinitialize(count: 1)
                outcome.deallocate()
            }
        }
        finish()
    }
}
