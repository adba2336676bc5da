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

    func advance(to now: UInt64) { swivel_wheel_bed_advance(bed, now) }

    /// The next node due by `now`, or nil.
    func fire(dueBy now: UInt64) -> UInt32? {
        let index = swivel_wheel_bed_fire(bed, now)
        return index == 0 ? nil : index
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
    var tick: UInt64 { swivel_wheel_bed_tick(bed) }
    var live: UInt64 { swivel_wheel_bed_live(bed) }
    var nearCount: UInt32 { swivel_wheel_bed_near_count(bed) }
    var nearDead: UInt32 { swivel_wheel_bed_near_dead(bed) }
    var nearCapacity: UInt32 { swivel_wheel_bed_near_capacity(bed) }

    /// What does not hold, or nil.
    var broken: String? { swivel_wheel_bed_check(bed).map { String(cString: $0) } }
}
