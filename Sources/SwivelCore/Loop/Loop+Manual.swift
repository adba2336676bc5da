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

/// A timer that waits on a manual loop.
package struct PendingNode: Sendable {
    /// The timer.
    package let handle: TimerHandle
    /// When it fires, its leeway included; `nil`: in the next turn.
    package let instant: LoopClock.Instant?
    /// Decides the order of two timers with the same instant.
    package let sequence: UInt64
    /// The interval of a repeating timer, or its delay if that counts from the closure's end.
    package let interval: Duration?
    /// Whether the interval counts from the closure's end.
    package let isAfterCompletion: Bool
    /// Whether it is a ``LoopTimer``'s.
    package let isKept: Bool
    /// Whether the thread that arms it has yet to tell the loop, or the loop has yet to hear it: an
    /// advance may not reach it.
    package let isOnItsWay: Bool
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

    /// The timers that wait on a manual loop, in the order in which they fire.
    ///
    /// **Thread:** the one that drives the loop, outside its closures.
    package func pendingNodes() -> [PendingNode] {
        var room = swivel__pending(record, nil, 0)
        var list: [swivel_pending] = []
        repeat {
            // Another thread may arm a timer between the two calls.
            let capacity = room
            list = Array(unsafeUninitializedCapacity: capacity) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                room = swivel__pending(record, base, capacity)
                count = min(room, capacity)
            }
        } while room > list.count
        return
            list
            .sorted { ($0.fire_at_ns, $0.sequence) < ($1.fire_at_ns, $1.sequence) }
            .map(PendingNode.init)
    }

    /// Posts work that a ``PostKeeper`` has kept. **Thread:** the one that drives or closes the
    /// loop.
    package func admit(_ post: @escaping @Sendable () -> Void) {
        var words = Work.words(post)
        if swivel__post_diverted(record, words) != SWIVEL_OK {
            Work.release(&words)
        }
    }

    /// Posts that wait for a manual loop's next turn.
    package var queuedPosts: Int {
        Int(clamping: swivel__pending_posts(record)) + (manual?.posts?.count ?? 0)
    }
}

extension PendingNode {
    init(_ pending: swivel_pending) {
        handle = TimerHandle(pending.timer)
        instant =
            pending.fire_at_ns == 0 ? nil : LoopClock.Instant(nanoseconds: pending.fire_at_ns)
        sequence = pending.sequence
        interval = pending.interval_ns == 0 ? nil : .nanoseconds(pending.interval_ns)
        isAfterCompletion = pending.is_after_completion
        isKept = pending.flags & UInt64(SWIVEL_KEPT) != 0
        isOnItsWay = pending.flags & UInt64(SWIVEL_QUEUED) != 0
    }
}
