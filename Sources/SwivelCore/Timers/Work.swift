// SPDX-License-Identifier: Apache-2.0
package import CSwivel
internal import CSwivel.Internal

/// A closure as the two words that lie in a node or a queue entry. A concrete struct around a
/// concrete function type: generic memory would add a thunk and an allocation.
package struct Work {
    package let run: @Sendable () -> Void

    /// Whether the words are a closure's, and not a future's callback or a task's.
    @inline(__always)
    static func isClosure(_ work: swivel_work) -> Bool { swivel__is_closure(UInt64(work.function)) }

    /// Releases a closure of any type without running it: by its context, if it has one.
    @inline(__always)
    static func release(_ work: swivel_work) {
        guard let context = UnsafeRawPointer(bitPattern: work.context) else { return }
        Unmanaged<AnyObject>.fromOpaque(context).release()
    }

    /// Moves the closure out of the words. They are bound again first: otherwise the optimizer may
    /// assume that the words which the core has written are unrelated to the closure that is read.
    @inline(__always)
    package static func take(_ work: UnsafeMutablePointer<swivel_work>) -> Work {
        UnsafeMutableRawPointer(work).bindMemory(to: Work.self, capacity: 1).move()
    }

    @inline(__always)
    static func store(
        _ run: consuming @escaping @Sendable () -> Void, in work: UnsafeMutableRawPointer
    ) {
        work.initializeMemory(as: Work.self, to: Work(run: run))
    }

    /// The closure as words. The caller owns it.
    @inline(__always)
    package static func words(_ run: consuming @escaping @Sendable () -> Void) -> swivel_work {
        var work = swivel_work()
        store(run, in: &work)
        return work
    }
}

/// A closure that is called for each tick and kept, as ``Work`` is for one that runs once.
struct RepeatingWork {
    let run: @Sendable (Tick) -> Void

    /// The closure as words. The caller owns it.
    static func words(_ run: consuming @escaping @Sendable (Tick) -> Void) -> swivel_work {
        var work = swivel_work()
        store(run, in: &work)
        return work
    }

    /// Moves the closure out of the words; see ``Work/take(_:)``.
    static func take(_ work: UnsafeMutablePointer<swivel_work>) -> RepeatingWork {
        UnsafeMutableRawPointer(work).bindMemory(to: RepeatingWork.self, capacity: 1).move()
    }

    @inline(__always)
    private static func store(
        _ run: consuming @escaping @Sendable (Tick) -> Void, in work: UnsafeMutableRawPointer
    ) {
        work.initializeMemory(as: RepeatingWork.self, to: RepeatingWork(run: run))
    }
}
