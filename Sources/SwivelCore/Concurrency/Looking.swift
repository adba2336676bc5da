// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Looks for what would end a wait, before the thread sleeps: see `look.h`.
package enum Looking {
    /// The longest look.
    private static let limit = Duration.nanoseconds(SWIVEL_LOOK_TRIAL_NS)

    /// Whether a look is over well before `deadline`.
    static func fits(before deadline: LoopClock.Instant) -> Bool {
        deadline == .never || deadline > LoopClock.Instant.now.advanced(by: limit)
    }

    /// Whether `found(argument)` returns true within a few microseconds, if looking has paid on
    /// this thread and there is time for it before `deadline`.
    ///
    /// **Thread:** any. On a loop's thread the look ends, too, when there is work for the loop, which
    /// the wait pumps then. The answer is no where work is promised to run before the thread waits.
    package static func isDone(
        before deadline: LoopClock.Instant, _ argument: UnsafeMutableRawPointer,
        _ found: @convention(c) (UnsafeMutableRawPointer?) -> Bool
    ) -> Bool {
        guard !Thread.owesWork, Loop.hosting == nil, fits(before: deadline) else { return false }
        guard let loop = swivel_loop_current() else {
            return swivel__thread_look(found, argument)
        }
        return swivel__park_look(loop, found, argument)
    }

    /// A thread looks for what the caller has done, and may reply at once: the next park looks.
    package static func expectReply() {
        swivel__expect(SWIVEL_REPLY_SOON)
    }

    /// A task goes on in Swift's pool with what the caller has done, and may call again: the next
    /// park looks for as long as it takes to wake a thread.
    package static func expectCall() {
        swivel__expect(SWIVEL_REPLY_WOKEN)
    }
}
