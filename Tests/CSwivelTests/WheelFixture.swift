// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport

/// A wheel by itself. Frees what it holds when it goes.
final class WheelFixture {
    private let fixture: OpaquePointer

    init(startingAt now: UInt64) { fixture = swivel_wheel_fixture_make(now) }

    deinit { swivel_wheel_fixture_free(fixture) }

    func arm(_ deadline: UInt64) -> UInt32 { swivel_wheel_fixture_arm(fixture, deadline) }
    func cancel(_ index: UInt32) { swivel_wheel_fixture_cancel(fixture, index) }
    func rearm(_ index: UInt32, _ deadline: UInt64) {
        swivel_wheel_fixture_rearm(fixture, index, deadline)
    }

    func neverFires(_ index: UInt32) { swivel_wheel_fixture_never_fires(fixture, index) }

    /// Puts all timers into their slots, as does a question for the next deadline.
    func flush() { swivel_wheel_fixture_flush(fixture) }

    /// From here on a step examines `step` timers, and the due queue gets memory for `most`.
    func limit(step: UInt32 = 1024, dueQueue most: UInt32 = .max) {
        swivel_wheel_fixture_limit(fixture, step, most)
    }

    /// One step.
    func step(to now: UInt64) { _ = swivel_wheel_fixture_advance(fixture, now) }

    func advance(to now: UInt64) {
        while !swivel_wheel_fixture_advance(fixture, now) {}
    }

    enum Due: Equatable {
        case none, later
        case timer(UInt32)
    }

    /// One step, and the next node due by `now` if that is known then.
    func next(dueBy now: UInt64) -> Due {
        var later = false
        let index = swivel_wheel_fixture_fire(fixture, now, &later)
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

    var nextDeadline: UInt64 { swivel_wheel_fixture_next_deadline(fixture) }
    var staged: UInt32 { swivel_wheel_fixture_staged(fixture) }
    var tick: UInt64 { swivel_wheel_fixture_tick(fixture) }
    var live: UInt64 { swivel_wheel_fixture_live(fixture) }
    var dueCount: UInt32 { swivel_wheel_fixture_due_count(fixture) }
    var dueCapacity: UInt32 { swivel_wheel_fixture_due_capacity(fixture) }
    var isEmptying: Bool { swivel_wheel_fixture_is_emptying(fixture) }
    var isShort: Bool { swivel_wheel_fixture_is_short(fixture) }

    /// The invariant that does not hold, or nil.
    var broken: String? { swivel_wheel_fixture_check(fixture).map { String(cString: $0) } }
}
