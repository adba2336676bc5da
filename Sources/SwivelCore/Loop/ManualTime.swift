// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// The settings of a loop with virtual time.
package final class ManualTime: Sendable {
    /// The loop's first instant.
    package let start: LoopClock.Instant
    /// Real time for which virtual time waits for work that may never come back.
    package let patience: Duration
    /// Keeps other threads' posts, to put them in order; `nil`: they run in the order of arrival.
    package let posts: (any PostKeeper)?
    /// The work that the loop has sent to other threads; `nil`: it is not followed.
    package let errands: Errands?

    /// Virtual time that begins at `start`.
    package init(
        startingAt start: LoopClock.Instant, patience: Duration = .seconds(10),
        posts: (any PostKeeper)? = nil, errands: Errands? = nil
    ) {
        self.start = start
        self.patience = patience
        self.posts = posts
        self.errands = errands
    }

    func configure(_ config: inout swivel_config) {
        config.manual_start_ns = start.nanoseconds
        config.manual_patience_ns = patience.nanosecondsRoundedUp
        config.manual_is_awaited = { owner in
            Loop.owning(owner)?.manual?.errands.map { $0.count(.resumed) + $0.count(.made) > 0 }
                ?? false
        }
    }
}

/// Keeps what other threads post to a manual loop, until its driver asks for it.
package protocol PostKeeper: AnyObject, Sendable {
    /// Keeps a post of `thread`, behind that thread's others. **Thread:** any.
    func keep(_ post: @escaping @Sendable () -> Void, from thread: UInt64)
    /// Passes its posts to ``Loop/admit(_:)``. **Thread:** the one that drives or closes the loop.
    func admit(to loop: Loop)
    /// Posts that are kept.
    var count: Int { get }
}
