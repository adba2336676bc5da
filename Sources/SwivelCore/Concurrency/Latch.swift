// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// An event that happens once, and the threads that wait for it.
///
/// A wait never starves the work that would end it: on a loop's thread it pumps that loop's turns,
/// on the main thread it runs the main queue, and a ``WorkerPool`` replaces the worker that waits.
/// Elsewhere it parks the thread.
package final class Latch: Sendable {
    private struct Waits {
        /// Loops whose threads pump.
        var pumping: [Loop] = []
        /// Whether a thread runs the main queue. Stays set: a ring that nobody waits for ends the
        /// next wait's sleep, and no more.
        var serveMainQueue = false
    }

    /// Set under the lock of `waits`.
    private let open = Atomic(false)
    /// The waits under way, and the threads that sleep in the others.
    private let waits = Monitor(Waits())

    /// A closed latch.
    package init() {}

    /// Whether it has happened.
    package var isOpen: Bool { open.load(ordering: .acquiring) }

    /// Opens the latch: all waits end.
    ///
    /// **Thread:** any, any number of times.
    package func signal() {
        let ended = waits.withSleepers { waits, sleepers in
            open.store(true, ordering: .releasing)
            Errands.unblock(self)
            sleepers.wakeAll()
            defer { waits.pumping = [] }
            return waits
        }
        ended.pumping.forEach { swivel_loop_wake($0.record) }
        if ended.serveMainQueue {
            swivel__guest_ring()
        }
    }

    /// Waits until the latch is open.
    ///
    /// - Parameters:
    ///   - deadline: When to give up, on the clock of the loop that waits.
    ///   - file: Where the user waits: debug builds name the place if the wait cannot end.
    ///   - line: See `file`.
    ///   - lasting: Called after a second, and again from time to time, in a wait without a
    ///     deadline that is not on a loop's thread.
    /// - Returns: False at the deadline.
    package func wait(
        until deadline: LoopClock.Instant = .never, file: StaticString = #fileID,
        line: UInt = #line, lasting: () -> Void = {}
    ) -> Bool {
        if isOpen {
            return true
        }
        return Trampoline.whileWaiting { block(until: deadline, file, line, lasting) }
    }

    private func block(
        until deadline: LoopClock.Instant, _ file: StaticString, _ line: UInt,
        _ lasting: () -> Void
    ) -> Bool {
        // A closure that forks goes on in the child, where its loop has no more turns.
        if let loop = Loop.current ?? Loop.hosting,
            Int(swivel_loop_refusal(loop.record)) != SWIVEL_EFORKED
        {
            loop.checkThatAWaitMayPump(file: file, line: line)
            return pump(loop, until: deadline.nanoseconds, file, line)
        }
        if swivel__guest_is_here() {
            return inSteps(until: deadline.nanoseconds, lasting) {
                serveMainQueue(until: $0, file, line)
            }
        }
        return Errands.whileBlocked(on: self) {
            WorkerPool.whileBlocked(until: deadline.nanoseconds) { limit in
                inSteps(until: limit, lasting, park(until:))
            }
        }
    }

    /// Runs `wait` until `deadline`. Without a deadline it waits in steps, and calls `lasting` in
    /// between.
    private func inSteps(
        until deadline: UInt64, _ lasting: () -> Void, _ wait: (UInt64) -> Bool
    ) -> Bool {
        guard deadline == .max else { return wait(deadline) }
        var step: UInt64 = 1_000_000_000
        while !wait(swivel_now_ns() + step) {
            lasting()
            step = min(2 * step, 16_000_000_000)
        }
        return true
    }

    private func park(until deadline: UInt64) -> Bool {
        waits.wait(until: deadline) { _, _ in isOpen ? true : nil } ?? false
    }

    private func pump(
        _ loop: Loop, until deadline: UInt64, _ file: StaticString, _ line: UInt
    ) -> Bool {
        let isOpenAlready = waits.withLock { waits in
            if !isOpen { waits.pumping.append(loop) }
            return isOpen
        }
        if isOpenAlready {
            return true
        }
        let status = Curtain.drawn {
            loop.pump(for: self, until: deadline, file: file, line: line)
        }
        checkDepth(status, "the stack of \(loop)", "pumps the loop", file, line)
        check(
            Int(status) != SWIVEL_ESTUCK,
            """
            a wait inside a closure of \(loop) does not end: the loop has nothing left to run, no timer \
            to which virtual time could move, and no other thread has sent anything for its whole \
            patience; let the closure return, or complete what it waits for first
            """, file: file, line: line)
        if status == 0 {
            waits.withLock { waits in
                waits.pumping.firstIndex { $0 === loop }.map { _ = waits.pumping.remove(at: $0) }
            }
        }
        return status == 1
    }

    /// On the thread that runs the main queue's blocks.
    private func serveMainQueue(
        until deadline: UInt64, _ file: StaticString, _ line: UInt
    ) -> Bool {
        let isOpenAlready = waits.withLock { waits in
            waits.serveMainQueue = true
            return isOpen
        }
        if isOpenAlready {
            return true
        }
        let argument = Unmanaged.passUnretained(self).toOpaque()
        // No loop is current here, so the limit is on the real clock.
        let status = Curtain.drawn {
            swivel__guest_pump(Self.isOpen, argument, swivel_real(ns: deadline))
        }
        checkDepth(status, "the main thread's stack", "runs the main queue", file, line)
        return status == 1
    }

    private static let isOpen: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { latch in
        latch.map { Unmanaged<Latch>.fromOpaque($0).takeUnretainedValue().isOpen } ?? true
    }

    private func checkDepth(
        _ status: Int32, _ what: String, _ does: String, _ file: StaticString, _ line: UInt
    ) {
        check(
            Int(status) != SWIVEL_EDEADLOCK,
            """
            waits are nested so deep that \(what) ends: each closure that waits \(does), which \
            starts the next one; wait on .background, or in a task
            """, file: file, line: line)
    }
}
