// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

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
    /// instant. One instant may take `turns` turns.
    package func run(until instant: LoopClock.Instant, turns: UInt64) -> ManualProgress {
        switch Int(swivel__advance(record, instant.nanoseconds, turns)) {
        case Int(SWIVEL_OK): .arrived
        case SWIVEL_ESTUCK: .stuck
        case SWIVEL_EDEADLOCK: .driven
        default: .over
        }
    }

    /// Posts and messages that other threads have sent since the loop was made.
    package var sentFromElsewhere: UInt64 { swivel__sent(record) }

    /// Posts that the loop's thread has made to itself since the loop was made. **Thread:** the loop's.
    package var ownPosts: UInt64 { UInt64(swivel__own_posts(record)) }

    /// Posts work that a ``PostKeeper`` has kept. **Thread:** the one that drives or closes the
    /// loop.
    package func admit(_ post: @escaping @Sendable () -> Void) {
        let words = Work.words(post)
        if swivel__post_diverted(record, words) != SWIVEL_OK {
            Work.release(words)
        }
    }
}
