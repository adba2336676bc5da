// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// Spinning before a thread sleeps in a wait: see `parker.h`.
package enum Spin {
    /// The longest spin.
    private static let limit = Duration.nanoseconds(SWIVEL_SPIN_MAX_NS)

    /// Whether a spin is over before `deadline`. Virtual time would stand still.
    static func fits(before deadline: LoopClock.Instant) -> Bool {
        if Simulated.world != nil { return false }
        return deadline == .never || deadline > LoopClock.Instant.now.advanced(by: limit)
    }

    /// Whether `found(argument)` returns true within a few microseconds, if spinning pays on this
    /// thread and there is time for it before `deadline`. False if work is promised to run before
    /// the thread waits. On a loop's thread the spin also ends if there is work for the loop, which
    /// the wait then runs.
    package static func isDone(
        before deadline: LoopClock.Instant, _ argument: UnsafeMutableRawPointer,
        _ found: @convention(c) (UnsafeMutableRawPointer?) -> Bool
    ) -> Bool {
        guard !Trampoline.ofThread.pointee.isBusy, Loop.hosting == nil, fits(before: deadline)
        else { return false }
        guard let loop = swivel_loop_current() else { return swivel__thread_spin(found, argument) }
        return swivel__park_spin(loop, found, argument)
    }
}
