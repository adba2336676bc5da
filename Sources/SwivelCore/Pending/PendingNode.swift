// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// A timer that waits on a loop.
package struct PendingNode: Sendable {
    /// The timer.
    package let handle: TimerHandle
    /// When it fires, its leeway included; `nil`: in the next turn.
    package let instant: LoopClock.Instant?
    /// Decides the order of two timers with the same instant.
    package let sequence: UInt64
    /// Its kind.
    package let kind: PendingWork.Kind
    /// Whether its arm message is not sent or not drained yet: an advance may not reach it.
    package let isOnItsWay: Bool
    /// Its closure, to be compared only: another thread may have released it.
    private let work: swivel_work

    /// Its label.
    package var label: String? {
        let text = Label.text(of: work)
        // Its closure was not released until now, so the label is its own.
        return handle.isPending ? text : nil
    }

    /// The place of its closure.
    var site: String? { CodeAddress.place(ofClosure: UInt64(work.function)) }
}

extension PendingNode {
    init(_ node: swivel_pending) {
        var pending = node
        handle = DispatchedTimer.describe(&pending) ?? TimerHandle(pending.timer)
        instant =
            pending.fire_at_ns == 0 ? nil : LoopClock.Instant(nanoseconds: pending.fire_at_ns)
        sequence = pending.sequence
        let interval = Duration.nanoseconds(pending.interval_ns)
        kind =
            if pending.flags & UInt64(SWIVEL_REUSABLE) != 0 {
                .rearmable
            } else if pending.interval_ns == 0 {
                .once
            } else {
                pending.is_after_completion ? .afterCompletion(interval) : .every(interval)
            }
        work = pending.work
        isOnItsWay = pending.flags & UInt64(SWIVEL_QUEUED) != 0
    }
}

extension Loop {
    /// The `limit` timers that fire first, in the order in which they fire.
    ///
    /// **Thread:** the loop's; if it has none, the one that drives it, outside its closures.
    package func pendingNodes(limit: Int = .max) -> [PendingNode] {
        guard limit > 0 else { return [] }
        var room = min(limit, 64)
        var list: [swivel_pending] = []
        repeat {
            // There may be more timers than the first call has room for, or than it has found.
            let capacity = room
            list = Array(unsafeUninitializedCapacity: 2 * capacity) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                room = min(limit, swivel__pending(record, base, 2 * capacity))
                count = min(room, capacity)
            }
        } while room > list.count
        return list.map(PendingNode.init)
    }

    /// Posts that wait for the next turn. **Thread:** as above.
    package var queuedPosts: Int {
        Int(clamping: swivel__pending_posts(record)) + (manual?.posts?.count ?? 0)
    }
}
