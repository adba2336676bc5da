// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// What a loop with virtual time is told when it is made.
package final class ManualTime: Sendable {
    /// The loop's first instant.
    package let start: LoopClock.Instant
    /// Real time for which virtual time waits for what may never come.
    package let patience: Duration
    /// Where other threads' posts wait to be put in order; `nil`: they come as they come.
    package let posts: SeededPosts?
    /// Gets each timer where it is armed, in debug builds.
    package let observer: (any TimerObserver)?
    /// What the loop has sent to other threads; `nil`: nobody follows it.
    package let errands: Errands?

    /// Virtual time that begins at `start`.
    package init(
        startingAt start: LoopClock.Instant, patience: Duration = .seconds(10),
        seed: UInt64? = nil, observer: (any TimerObserver)? = nil, errands: Errands? = nil
    ) {
        self.start = start
        self.patience = patience
        posts = seed.map(SeededPosts.init)
        self.observer = observer
        self.errands = errands
    }

    func configure(_ config: inout swivel_config) {
        config.manual_start_ns = start.nanoseconds
        config.manual_patience_ns = patience.nanosecondsRoundedUp
        config.manual_is_awaited = { owner in
            guard let owner else { return false }
            let loop = Unmanaged<Loop>.fromOpaque(owner).takeUnretainedValue()
            return loop.manual?.errands.map { $0.count(.resumed) + $0.count(.made) > 0 } ?? false
        }
    }
}

/// Who is told about a manual loop's timers, in debug builds.
package protocol TimerObserver: AnyObject, Sendable {
    /// The timer is being armed: its caller is on the stack. **Thread:** any.
    func armed(_ handle: TimerHandle)
    /// A ``LoopTimer`` is being made; it will be armed any number of times. **Thread:** any.
    func made(_ handle: TimerHandle)
    /// The ``LoopTimer`` is gone. **Thread:** any.
    func freed(_ handle: TimerHandle)
}
