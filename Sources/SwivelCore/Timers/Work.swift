// SPDX-License-Identifier: Apache-2.0
package import CSwivel

/// A closure as the two words that lie in a node or a queue entry. A concrete struct around a
/// concrete function type: generic memory would add a thunk and an allocation.
package struct Work {
    package let run: @Sendable () -> Void

    /// Releases the closure without running it. Any closure's words will do: all are released alike.
    @inline(__always)
    static func release(_ work: UnsafeMutablePointer<swivel_work>) {
        _ = take(work)
    }

    /// Moves the closure out of the words. They are bound anew: the optimizer may take what the core
    /// has written as words for unrelated to what is read as a closure, and drop the read.
    @inline(__always)
    package static func take(_ work: UnsafeMutablePointer<swivel_work>) -> Work {
        UnsafeMutableRawPointer(work).bindMemory(to: Work.self, capacity: 1).move()
    }

    /// Moves the closure into `work`.
    @inline(__always)
    static func store(
        _ run: consuming @escaping @Sendable () -> Void, in work: UnsafeMutableRawPointer
    ) {
        work.initializeMemory(as: Work.self, to: Work(run: run))
    }

    /// The closure as words. Whoever gets them owns it.
    @inline(__always)
    package static func words(_ run: consuming @escaping @Sendable () -> Void) -> swivel_work {
        var work = swivel_work()
        store(run, in: &work)
        return work
    }
}

/// As ``Work``, for a closure that is called for each tick and kept.
struct RepeatingWork {
    let run: @Sendable (Tick) -> Void

    /// The closure as words. Whoever gets them owns it.
    static func words(_ run: consuming @escaping @Sendable (Tick) -> Void) -> swivel_work {
        var work = swivel_work()
        store(run, in: &work)
        return work
    }

    @inline(__always)
    private static func store(
        _ run: consuming @escaping @Sendable (Tick) -> Void, in work: UnsafeMutableRawPointer
    ) {
        work.initializeMemory(as: RepeatingWork.self, to: RepeatingWork(run: run))
    }
}
