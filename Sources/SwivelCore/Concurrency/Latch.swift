// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// An event that happens once, and the threads that wait for it.
///
/// A wait never starves the work that would end it: on a loop's thread it pumps that loop's turns,
/// on the main thread it runs the main queue and the main run loop, and a ``WorkerPool`` replaces
/// the worker that waits. Elsewhere it parks the thread.
///
/// It takes no lock unless a loop pumps: see `latch.h`.
package final class Latch: @unchecked Sendable {
    // because the core's latch is for any thread, and only its address is used.
    @exclusivity(unchecked) private var storage = swivel_latch()
    /// Of a latch that a thread keeps, for that thread alone: the latch that it kept before.
    private var former: Latch?

    package init() {}

    /// The first stored property, behind the two words of the object's header.
    private var latch: UnsafeMutablePointer<swivel_latch> {
        (Unmanaged.passUnretained(self).toOpaque() + 2 * MemoryLayout<UInt>.size)
            .assumingMemoryBound(to: swivel_latch.self)
    }

    /// Calls `body` with a closed latch that the calling thread keeps for its next wait.
    package static func borrowed<R>(_ body: (Latch) -> R) -> R {
        let latch = kept()
        defer { latch.keep() }
        return body(latch)
    }

    /// The latch that the thread has kept, or a new one; closed. If the thread that opened it still
    /// uses it, because the waiter took over its processor, the waiter uses two in turn.
    private static func kept() -> Latch {
        guard let spare = Trampoline.ofThread.pointee.latch.take() else { return Latch() }
        var latch = Unmanaged<Latch>.fromOpaque(spare).takeRetainedValue()
        if !isKnownUniquelyReferenced(&latch) {
            var former = latch.former.take() ?? Latch()
            former = isKnownUniquelyReferenced(&former) ? former : Latch()
            former.former = latch
            latch = former
        }
        swivel__latch_close(latch.latch)
        return latch
    }

    private func keep() {
        let thread = Trampoline.ofThread
        guard thread.pointee.latch == nil else { return }
        let isReleased = swivel__thread_end_call(SWIVEL_END_SPARE) {
            if let kept = Trampoline.ofThread.pointee.latch.take() {
                Unmanaged<Latch>.fromOpaque(kept).release()
            }
        }
        if isReleased { thread.pointee.latch = Unmanaged.passRetained(self).toOpaque() }
    }

    package var isOpen: Bool {
        defer { extendLifetime(self) }
        return swivel__latch_is_open(latch)
    }

    /// Opens the latch: all waits end. **Thread:** any, any number of times.
    package func signal() {
        let before = swivel__latch_open(latch)
        Tracking.tracker?.unblock(self)
        swivel__latch_wake(latch, before)
        extendLifetime(self)
    }

    /// Waits until the latch is open. Returns false at the deadline, which is on the clock of the
    /// loop that waits. The thread may spin before it sleeps if it `spins`, and has not done so.
    ///
    /// A wait without a deadline calls `check`: on a loop's thread before it pumps, elsewhere after
    /// ten milliseconds, and with true after a second and again from time to time.
    package func wait(
        until deadline: LoopClock.Instant = .never, file: StaticString = #fileID,
        line: UInt = #line, spins: Bool = true, check: (_ lasts: Bool) -> Void = { _ in }
    ) -> Bool {
        defer { extendLifetime(self) }
        return isOpen
            || Trampoline.whileWaiting {
                block(until: deadline, file, line, spins: spins, check)
            }
    }

    private func block(
        until deadline: LoopClock.Instant, _ file: StaticString, _ line: UInt, spins: Bool,
        _ check: (Bool) -> Void
    ) -> Bool {
        if let world = Simulated.world {
            return world.wait(for: self, until: deadline, file: file, line: line)
        }
        // A closure that forks continues in the child, where its loop has no more turns.
        if let loop = Loop.current ?? Loop.hosting,
            Int(swivel_loop_refusal(loop.record)) != SWIVEL_EFORKED
        {
            loop.checkThatAWaitMayPump(file: file, line: line)
            if deadline == .never { check(false) }
            return pump(loop, until: deadline.nanoseconds, file, line)
        }
        if spins && Spin.fits(before: deadline) && swivel__latch_spin(latch) { return true }
        if swivel__source_here() != nil {
            return inSteps(until: deadline.nanoseconds, check) {
                serveMainQueue(until: $0, file, line)
            }
        }
        func park(until limit: UInt64) -> Bool {
            inSteps(until: limit, check) { swivel__latch_sleep(latch, swivel_mono(ns: $0)) }
        }
        func wait() -> Bool {
            WorkerPool.whileBlocked(endlessly: deadline == .never) { pool in
                pool?.watch(park) ?? park(until: deadline.nanoseconds)
            }
        }
        return Tracking.tracker?.block(on: self, wait) ?? wait()
    }

    /// Runs `wait` until `deadline`. Without a deadline it waits in steps, and calls `check` in
    /// between.
    private func inSteps(
        until deadline: UInt64, _ check: (Bool) -> Void, _ wait: (UInt64) -> Bool
    ) -> Bool {
        guard deadline == .max else { return wait(deadline) }
        // 10 ms: most waits are over before the first check, which takes longer than they do.
        if wait(swivel_now_ns() + 10_000_000) { return true }
        check(false)
        var step: UInt64 = 1_000_000_000
        while !wait(swivel_now_ns() + step) {
            check(true)
            step = min(2 * step, 16_000_000_000)
        }
        return true
    }

    private func pump(
        _ loop: Loop, until deadline: UInt64, _ file: StaticString, _ line: UInt
    ) -> Bool {
        var entry = swivel_latch_pump(loop: loop.record, next: nil)
        let status = withUnsafeMutablePointer(to: &entry) { entry -> Int32 in
            guard swivel__latch_enter(latch, entry) else { return 1 }
            defer { swivel__latch_leave(latch, entry) }
            return loop.pump(for: self, until: deadline, file: file, line: line)
        }
        checkDepth(status, "the stack of \(loop)", "pumps the loop", file, line)
        check(
            Int(status) != SWIVEL_ESTUCK,
            """
            a wait inside a closure of \(loop) does not end: the loop has nothing left to run, no timer \
            to which virtual time could move, and no other thread has sent anything for its whole \
            patience; let the closure return, or complete what it waits for first
            """, file: file, line: line)
        return status == 1
    }

    /// On the thread that runs the main queue's blocks.
    private func serveMainQueue(
        until deadline: UInt64, _ file: StaticString, _ line: UInt
    ) -> Bool {
        // No loop is current here, so the limit is on the real clock.
        let status = swivel__latch_serve(latch, swivel_mono(ns: deadline))
        if status >= 0 { return status == 1 }
        checkDepth(status, "the main thread's stack", "runs the main queue", file, line)
        trap(
            """
            a wait on the main thread runs the main queue, which takes four file descriptors, and \
            the system refuses them: \(String(cString: swivel_status_text(status))); raise \
            the limit (ulimit -n), or close some
            """, file: file, line: line)
    }

    private func checkDepth(
        _ status: Int32, _ what: @autoclosure () -> String, _ does: StaticString,
        _ file: StaticString, _ line: UInt
    ) {
        check(
            Int(status) != SWIVEL_EDEADLOCK,
            """
            waits are nested so deep that \(what()) ends: each closure that waits \(does), which \
            starts the next one; wait on .background, or in a task
            """, file: file, line: line)
    }
}
