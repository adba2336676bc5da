// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport

/// A wheel by itself. Frees what it holds when it goes.
final class WheelBed {
    private let bed: OpaquePointer

    init(startingAt now: UInt64) {
        bed = swivel_wheel_bed_make(now)
    }

    deinit {
        swivel_wheel_bed_free(bed)
    }

    func arm(_ deadline: UInt64) -> UInt32 { swivel_wheel_bed_arm(bed, deadline) }
    func cancel(_ index: UInt32) { swivel_wheel_bed_cancel(bed, index) }
    func rearm(_ index: UInt32, _ deadline: UInt64) {
        swivel_wheel_bed_rearm(bed, index, deadline)
    }

    func neverFires(_ index: UInt32) { swivel_wheel_bed_never_fires(bed, index) }

    /// Puts all timers into their slots, as does a question for the next deadline.
    func flush() { swivel_wheel_bed_flush(bed) }

    /// From here on a step looks at `step` timers, and the due queue gets memory for `most`.
    func limit(step: UInt32 = 1024, dueQueue most: UInt32 = .max) {
        swivel_wheel_bed_limit(bed, step, most)
    }

    /// One step.
    func step(to now: UInt64) { _ = swivel_wheel_bed_advance(bed, now) }

    func advance(to now: UInt64) {
        while !swivel_wheel_bed_advance(bed, now) {}
    }

    enum Due: Equatable {
        case none, later
        case timer(UInt32)
    }

    /// One step, and the next node due by `now` if that is known then.
    func next(dueBy now: UInt64) -> Due {
        var later = false
        let index = swivel_wheel_bed_fire(bed, now, &later)
        return later ? .later : index == 0 ? .none : .timer(index)
    }

    /// The next node due by `now`, or nil.
    func fire(dueBy now: UInt64) -> UInt32? {
        while true {
            switch next(dueBy: now) {
            case .none: return nil
            case .timer(let index): return index
            case .later: break
            }
        }
    }

    /// Everything due by `now`, in the wheel's order.
    func fireAll(dueBy now: UInt64) -> [UInt32] {
        advance(to: now)
        var fired: [UInt32] = []
        while let index = fire(dueBy: now) {
            fired.append(index)
        }
        return fired
    }

    var nextDeadline: UInt64 { swivel_wheel_bed_next_deadline(bed) }
    var staged: UInt32 { swivel_wheel_bed_staged(bed) }
    var tick: UInt64 { swivel_wheel_bed_tick(bed) }
    var live: UInt64 { swivel_wheel_bed_live(bed) }
    var dueCount: UInt32 { swivel_wheel_bed_due_count(bed) }
    var dueCapacity: UInt32 { swivel_wheel_bed_due_capacity(bed) }
    var isEmptying: Bool { swivel_wheel_bed_is_emptying(bed) }
    var isShort: Bool { swivel_wheel_bed_is_short(bed) }

    /// The invariant that does not hold, or nil.
    var broken: String? { swivel_wheel_bed_check(bed).map { String(cString: $0) } }
}
