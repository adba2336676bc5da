// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// A lock in a word of the object whose other fields it guards. A ``Lock`` is three allocations.
///
/// The lock is reached through a pointer: an access to a stored property would count as a
/// modification, and several threads make one at the same time.
package struct LockWord: ~Copyable {
    /// Zero: the lock is open.
    private var word: UInt32 = 0

    /// An open lock.
    package init() {}
}

extension UnsafeMutablePointer<LockWord> {
    /// Takes the lock. See ``Lock/withLock(_:)`` for what must not be done under it.
    package func lock() { swivel__lock(core) }

    /// Opens the lock.
    package func unlock() { swivel__unlock(core) }

    /// The core's own lock, of which zeroed memory is an open one.
    private var core: UnsafeMutablePointer<swivel_lock> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: swivel_lock.self)
    }
}
