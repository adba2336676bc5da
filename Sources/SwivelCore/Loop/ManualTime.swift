// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

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
    /// The real instant at which the latest step of a task began on the loop.
    private let step = Atomic<UInt64>(0)

    package init(
        startingAt start: LoopClock.Instant, patience: Duration = .seconds(10),
        posts: (any PostKeeper)? = nil, inFlight: (any WorkInFlight)? = nil
    ) {
        self.start = start
        self.patience = patience
        self.posts = posts
        self.inFlight = inFlight
    }

    /// A step of a task begins. **Thread:** the loop's, as for ``stepLength``.
    func beginStep() { step.store(swivel_now_ns(), ordering: .relaxed) }

    /// The real time that this step has taken so far, in nanoseconds.
    var stepLength: UInt64 { swivel_now_ns() - step.load(ordering: .relaxed) }

    func configure(_ config: inout swivel_config) {
        config.manual_start_ns = start.nanoseconds
        config.manual_patience_ns = patience.nanosecondsRoundedUp
        config.diverts_posts = posts != nil
        config.manual_is_awaited = { owner in
            Loop.owning(owner)?.manual?.inFlight.map { $0.count > 0 } ?? false
        }
    }
}

/// Keeps what other threads post to a manual loop, until its driver asks for it.
package protocol PostKeeper: AnyObject, Sendable {
    /// Keeps a post of `thread`, behind that thread's others. **Thread:** any.
    func keep(_ post: @escaping @Sendable () -> Void, from thread: UInt64)
    /// Passes its posts to ``Loop/admit(_:)``. **Thread:** the thread that drives or closes the
    /// loop.
    func admit(to loop: Loop)
    var count: Int { get }
}

/// How an advance of a manual loop ended.
package enum ManualProgress: Sendable {
    /// Time has arrived, and nothing is left to run there.
    case arrived
    /// No turns are left: work at this instant makes more work for the same instant.
    case stuck
    /// Another thread drives the loop.
    case driven
    /// The loop is shut down.
    case over
}

extension Loop {
    /// A loop without a thread whose time stands still until ``run(until:turns:)`` moves it. It
    /// runs the production turn.
    package static func virtual(
        _ configuration: Configuration, _ time: ManualTime
    ) throws(SwivelError) -> Loop {
        try Loop(configuration, SWIVEL_MANUAL, manual: time)
    }

    /// Moves a manual loop's time to `instant` and runs the timers on the way, each at its own
    /// instant, with at most `turns` turns per instant.
    package func run(until instant: LoopClock.Instant, turns: UInt64) -> ManualProgress {
        switch Int(swivel_loop_advance(record, instant.nanoseconds, turns)) {
        case Int(SWIVEL_OK): .arrived
        case SWIVEL_ESTUCK: .stuck
        case SWIVEL_EDEADLOCK: .driven
        default: .over
        }
    }

    /// Posts and messages that other threads have sent since the loop was made.
    package var sentFromElsewhere: UInt64 { swivel__sent(record) }

    /// Posts that the loop's thread has made to itself since the loop was made. **Thread:** the
    /// loop's.
    package var ownPosts: UInt64 { UInt64(swivel__own_posts(record)) }

    /// Posts work that a ``PostKeeper`` has kept. **Thread:** the thread that drives or closes the
    /// loop.
    package func admit(_ post: @escaping @Sendable () -> Void) {
        let words = Work.words(post)
        if swivel__post_diverted(record, words) != SWIVEL_OK { Work.release(words) }
    }
}
