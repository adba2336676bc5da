// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// Something that happens once, and those who wait for it.
///
/// A wait never starves what it waits for: on a loop's thread it pumps that loop's turns, on a
/// ``WorkerPool``'s worker it has the worker replaced, elsewhere it parks the thread.
package final class Latch: Sendable {
    private let open = Atomic(false)
    private let parker = ThreadParker()
    /// Loops whose threads pump in ``wait(until:)``. Guarded by `parker`.
    private let pumping = Guarded<[Loop]>([])

    /// A closed latch.
    package init() {}

    /// Whether it has happened.
    package var isOpen: Bool { open.load(ordering: .acquiring) }

    /// It has happened: all waits end.
    ///
    /// **Thread:** any, any number of times.
    package func signal() {
        let loops = parker.withLock {
            open.store(true, ordering: .releasing)
            parker.wakeAll()
            defer { pumping.value = [] }
            return pumping.value
        }
        loops.forEach { swivel_loop_wake($0.record) }
    }

    /// Waits until it has happened, or until `deadline` on the clock of the loop that waits.
    ///
    /// - Returns: False at the deadline.
    package func wait(until deadline: LoopClock.Instant = .never) -> Bool {
        if isOpen {
            return true
        }
        // A closure that has forked goes on in the child, where its loop has no turns any more.
        if let loop = Loop.current, Int(swivel_loop_refusal(loop.record)) != SWIVEL_EFORKED {
            return pump(loop, until: deadline.nanoseconds)
        }
        return WorkerPool.whileBlocked { park(until: deadline.nanoseconds) }
    }

    private func park(until deadline: UInt64) -> Bool {
        parker.withLock {
            while !isOpen {
                if !parker.park(until: deadline) {
                    return isOpen
                }
            }
            return true
        }
    }

    private func pump(_ loop: Loop, until deadline: UInt64) -> Bool {
        let isOpenAlready = parker.withLock {
            if !isOpen { pumping.value.append(loop) }
            return isOpen
        }
        if isOpenAlready {
            return true
        }
        let argument = Unmanaged.passUnretained(self).toOpaque()
        let status = swivel_loop_pump(
            loop.record,
            { argument in
                argument.map { Unmanaged<Latch>.fromOpaque($0).takeUnretainedValue().isOpen }
                    ?? true
            }, argument, deadline)
        check(
            Int(status) != SWIVEL_EDEADLOCK,
            """
            waits are nested so deep that the stack of \(loop) ends: each closure that waits pumps \
            the loop, which starts the next one; wait on .background, or in a task
            """)
        check(
            Int(status) != SWIVEL_ESTUCK,
            """
            a wait inside a closure of \(loop) does not end: the loop has nothing left to run at this \
            instant, no other thread has sent anything for its whole patience, and virtual time \
            stands still until the closure returns; let the closure return and advance the time, or \
            complete what it waits for first
            """)
        if status == 0 {
            parker.withLock {
                pumping.value.firstIndex { $0 === loop }.map { _ = pumping.value.remove(at: $0) }
            }
        }
        return status == 1
    }
}

/// A value that a lock elsewhere guards.
final class Guarded<Value>: @unchecked Sendable {
    // because its owner touches it under its own lock only.
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
