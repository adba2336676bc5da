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
    /// The work that the loop has in flight on other threads; `nil`: it is not tracked.
    package let inFlight: (any WorkInFlight)?

    /// Virtual time that begins at `start`.
    package init(
        startingAt start: LoopClock.Instant, patience: Duration = .seconds(10),
        posts: (any PostKeeper)? = nil, inFlight: (any WorkInFlight)? = nil
    ) {
        self.start = start
        self.patience = patience
        self.posts = posts
        self.inFlight = inFlight
    }

    func configure(_ config: inout swivel_config) {
        config.manual_start_ns = start.nanoseconds
        config.manual_patience_ns = patience.nanosecondsRoundedUp
        config.manual_is_awaited = { owner in
            Loop.owning(owner)?.manual?.inFlight.map { $0.count > 0 } ?? false
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
