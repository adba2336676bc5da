// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A node of ``Loop/shared`` that keeps the time of a ``DispatchedTimer``. Its closure retains the
/// timer.
private struct LoopAlarm: TimerAlarm, @unchecked Sendable {
    // because the core guards the node, and the rest is constant.
    let node: swivel_timer
    let record: OpaquePointer

    var now: UInt64 { swivel__exact_now(record) }

    func deadline(after delay: UInt64) -> UInt64 {
        swivel__saturating_add(swivel_loop_now(record), delay)
    }

    func set(at deadline: UInt64, leeway: UInt64) -> Bool {
        // A deadline that has passed does not wait for the leeway.
        let fires = deadline > now ? swivel__aligned_deadline(deadline, leeway) : deadline
        return swivel__reusable_move(node, fires)
    }

    func hold() { _ = swivel__reusable_move(node, LoopClock.Instant.never.nanoseconds) }

    func count(missed: UInt64) {
        swivel__count_dispatched(record, SWIVEL_COUNTED_RUNS, 1)
        if missed > 0 { swivel__count_dispatched(record, SWIVEL_COUNTED_MISSED, missed) }
    }

    func end(isCancelled: Bool) {
        swivel_reusable_free(node)
        if isCancelled { swivel__count_dispatched(record, SWIVEL_COUNTED_DROPS, 1) }
    }
}

extension DispatchedTimer {
    /// The timers of all contexts but loops.
    private static let table = TimerTable()

    static func arm(_ request: TimerRequest, on context: any ExecutionContext) -> TimerHandle {
        let record = Loop.shared.record
        let timer = DispatchedTimer(request, now: swivel_loop_now(record), on: context, in: table)
        let fire = RepeatingWork.words { tick in
            guard timer.fire(), let loop = tick.handle.timer.loop else { return }
            swivel__count_lateness(loop, tick.scheduled.nanoseconds, swivel__turn_time(loop))
        }
        let node = swivel__reusable_create(
            record, fire, UInt64(SWIVEL_UNCOUNTED | SWIVEL_DISPATCHED))
        guard node.loop != nil else {
            Work.release(fire)
            return .refused
        }
        return timer.begin(TimerHandle(node).id, LoopAlarm(node: node, record: record))
    }

    /// Replaces the node of such a timer by the timer itself, in a list of pending work. `nil`: it
    /// is another node.
    static func describe(_ pending: inout swivel_pending) -> TimerHandle? {
        guard pending.flags & UInt64(SWIVEL_DISPATCHED) != 0 else { return nil }
        let id = TimerHandle(pending.timer).id
        (table.find(id) as? DispatchedTimer)?.describe(&pending)
        return TimerHandle(table: table, id: id)
    }
}

extension Loop {
    /// Counts what happens to a repeat that is not the core's: ticks that it has missed, cancels, and
    /// whether it is pending though none of its timers is. **Thread:** any.
    package func count(missed: Int = 0, cancelled: Int = 0, pending: Int = 0) {
        for (what, number) in [
            (SWIVEL_COUNTED_MISSED, missed), (SWIVEL_COUNTED_DROPS, cancelled),
            (SWIVEL_COUNTED_REUSABLE, pending),
        ] where number != 0 {
            swivel__count_dispatched(record, what, UInt64(bitPattern: Int64(number)))
        }
    }
}
