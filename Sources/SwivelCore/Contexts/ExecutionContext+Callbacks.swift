// SPDX-License-Identifier: Apache-2.0

// How futures bring their callbacks to a context, without an existential in each future that waits
// to run one. The questions are about types, which are compared as words: the compiler answers
// where it sees the type, and a cast would call the runtime.
extension ExecutionContext {
    @inlinable
    package var isImmediate: Bool { Self.self == ImmediateContext.self }

    /// The queue that holds callbacks as words: a loop's address, or a pool's with
    /// ``CallbackQueue/poolBit``. 0: the context has none, and takes closures.
    @inlinable
    package var callbackQueue: UInt {
        if Self.self == Loop.self { return unsafeBitCast(self, to: UInt.self) }
        if Self.self == WorkerPool.self {
            return unsafeBitCast(self, to: UInt.self) | CallbackQueue.poolBit
        }
        return 0
    }

    /// Whether a wait for work of this context may be in the way of that work. A pool replaces a
    /// thread that waits, and a loop's thread runs turns. A manual loop has no thread.
    package var mayBeHeldUp: Bool {
        if Self.self == Loop.self {
            return unsafeDowncast(self as AnyObject, to: Loop.self).manual != nil
        }
        return !isImmediate && callbackQueue == 0
    }
}

/// The word of a queue that holds callbacks.
@usableFromInline
package enum CallbackQueue {
    /// A bit that is set next to a pool's address. Objects lie at multiples of 16.
    @inlinable package static var poolBit: UInt { 4 }
}
