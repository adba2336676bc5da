// SPDX-License-Identifier: Apache-2.0
public import CSwivel.Internal

/// A value behind a lock, for the paths that are not measured in nanoseconds.
///
/// It stands on the system's lock, not on `Synchronization.Mutex`, which ThreadSanitizer does not
/// see: it reports races on what that protects.
@usableFromInline
package final class Lock<Value>: Sendable {
    @usableFromInline let memory: LockedMemory<Value>

    @inlinable
    package init(_ value: Value) { memory = LockedMemory(value) }

    deinit { memory.deallocate() }

    /// Runs `body` on the value, under the lock. It must not call user code, nor release it, nor
    /// wait.
    @inlinable @inline(__always)
    package func withLock<R>(_ body: (inout Value) -> R) -> R { memory.withLock(body) }
}

/// The same for an object that frees the memory itself, and so saves the object in between.
@usableFromInline
package struct LockedMemory<Value>: @unchecked Sendable {
    // because the value is touched under `lock` only.

    /// The start of a piece of memory that ends with the value.
    @usableFromInline let lock: UnsafeMutablePointer<swivel_lock>
    /// Behind a pointer, where no access is checked for exclusivity: that is the lock's job.
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: Value) {
        let alignment = max(MemoryLayout<Value>.alignment, MemoryLayout<swivel_lock>.alignment)
        let offset = (MemoryLayout<swivel_lock>.size + alignment - 1) / alignment * alignment
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offset + MemoryLayout<Value>.size, alignment: alignment)
        lock = memory.initializeMemory(as: swivel_lock.self, to: swivel_lock())
        self.value = (memory + offset).initializeMemory(as: Value.self, to: value)
    }

    /// Releases the value, which nothing uses any more, and frees the memory.
    @inlinable
    package func deallocate() {
        value.deinitialize(count: 1)
        lock.deallocate()
    }

    /// As a lock's.
    @inlinable @inline(__always)
    package func withLock<R>(_ body: (inout Value) -> R) -> R {
        swivel__lock(lock)
        let result = body(&value.pointee)
        // The compiler would release an unused result under the lock.
        withExtendedLifetime(result) { swivel__unlock(lock) }
        return result
    }
}
