// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
import Testing

/// T3, T4, T6 and T9 as arithmetic: the ticks of a grid, on any clock.
@Suite struct GridTests {
    private func grid(
        _ missed: swivel_missed, first: UInt64 = 100, interval: UInt64 = 10
    ) -> swivel_grid {
        var grid = swivel_grid()
        grid.first_ns = first
        grid.interval_ns = interval
        grid.missed = missed
        return grid
    }

    @Test func sumsSaturateAtTheEndOfTheClock() {
        var late = grid(SWIVEL_MISSED_SKIP, first: .max - 5)
        #expect(swivel__grid_take(&late, .max - 5, .max - 5).index == 0)
        #expect(late.first_ns == .max)
        var slow = grid(SWIVEL_MISSED_BURST, first: 5, interval: .max)
        _ = swivel__grid_take(&slow, 5, 5)
        #expect(slow.first_ns == .max)
        var fast = grid(SWIVEL_MISSED_SKIP, first: 0, interval: 1)
        let tick = swivel__grid_take(&fast, 0, .max)
        #expect([tick.index, tick.scheduled_ns, tick.missed] == [.max, .max, .max])
        #expect(swivel__grid_take(&fast, .max, .max).index == .max)
    }

    @Test func leewayCountsForHalfAnIntervalAtMost() {
        for missed in [SWIVEL_MISSED_SKIP, SWIVEL_MISSED_DELAY, SWIVEL_MISSED_BURST] {
            var grid = grid(missed, interval: 11)
            #expect([0, 5, 6, .max].map { swivel__grid_leeway(&grid, $0) } == [0, 5, 5, 5])
        }
        var pauses = grid(SWIVEL_AFTER_COMPLETION, interval: 11)
        #expect(
            swivel__grid_leeway(&pauses, .max) == .max,
            "nothing is missed between an end and the next start")
    }

    @Test func jitterIsNeverNegativeAndDoesNotMoveTheGrid() {
        var jittered = grid(SWIVEL_MISSED_SKIP, interval: 1000)
        (jittered.jitter_low, jittered.jitter_high, jittered.seed) = (0.25, 0.5, 1)
        var seen: Set<UInt64> = []
        for step in 0..<100 as Range<UInt64> {
            let instant = 100 + step * 1000
            let due = swivel__grid_due(&jittered)
            #expect((instant + 250...instant + 500).contains(due))
            seen.insert(due - instant)
            let tick = swivel__grid_take(&jittered, due, due + 999)
            #expect([tick.index, tick.scheduled_ns, tick.missed] == [step, instant, 0])
        }
        #expect(seen.count > 50)
        jittered.jitter_high = 1e30
        #expect(swivel__grid_due(&jittered) == .max)
    }

    /// Random grids and instants against a model with 128-bit numbers, which cannot overflow.
    @Test func randomTicksAgreeWithTheModel() {
        var random = SeededRandom(seed: announcedSeed("randomTicksAgreeWithTheModel"))
        for _ in 0..<2_000 {
            let missed = [
                SWIVEL_MISSED_SKIP, SWIVEL_MISSED_DELAY, SWIVEL_MISSED_BURST,
                SWIVEL_AFTER_COMPLETION,
            ][random.below(4)]
            var grid = grid(missed, first: random.magnitude(), interval: max(random.magnitude(), 1))
            grid.index = random.magnitude()
            var model = GridModel(grid)
            var now: UInt64 = 0
            for _ in 0..<20 {
                let due = model.saturated(UInt128(grid.first_ns) + UInt128(random.magnitude() >> 8))
                now = model.saturated(UInt128(max(due, now)) + UInt128(random.magnitude() >> 4))
                let tick = swivel__grid_take(&grid, due, now)
                let expected = model.take(due: due, now: now)
                #expect([tick.index, tick.scheduled_ns, tick.missed] == expected)
                #expect(tick.now_ns == now)
                now = model.saturated(UInt128(now) + UInt128(random.magnitude() >> 8))
                swivel__grid_end(&grid, now)
                model.end(now: now)
                #expect(grid.first_ns == model.next && grid.index == model.index)
            }
        }
    }
}

/// The rules of DESIGN.md's T4, a tick at a time, in numbers without an end.
private struct GridModel {
    private(set) var next: UInt64
    private(set) var index: UInt64
    private let interval: UInt128
    private let missed: swivel_missed

    init(_ grid: swivel_grid) {
        next = grid.first_ns
        index = grid.index
        interval = UInt128(grid.interval_ns)
        missed = grid.missed
    }

    func saturated(_ number: UInt128) -> UInt64 { UInt64(clamping: number) }

    mutating func take(due: UInt64, now: UInt64) -> [UInt64] {
        // The largest count of intervals that fit between the due instant and the present.
        var passed = UInt128(0)
        for bit in (0..<64).reversed() as ReversedCollection<Range<UInt128>> {
            let candidate = passed + (UInt128(1) << bit)
            if UInt128(due) + candidate * interval <= UInt128(now) { passed = candidate }
        }
        var (number, instant, count) = (UInt128(index), UInt128(next), UInt128(0))
        var start = instant
        switch missed {
        case SWIVEL_MISSED_SKIP:
            (number, count) = (number + passed, passed)
            instant += passed * interval
            start = instant
        case SWIVEL_MISSED_DELAY:
            count = passed
            if passed > 0 { start = UInt128(now) }
        default:
            break
        }
        index = saturated(number + 1)
        // A delay after completion begins when the closure has returned.
        if missed != SWIVEL_AFTER_COMPLETION { next = saturated(start + interval) }
        return [saturated(number), saturated(instant), saturated(count)]
    }

    mutating func end(now: UInt64) {
        if missed == SWIVEL_AFTER_COMPLETION { next = saturated(UInt128(now) + interval) }
    }
}

extension SeededRandom {
    /// A number of any length in bits; the largest is among them.
    fileprivate mutating func magnitude() -> UInt64 {
        once(in: 32) ? .max : next() >> below(64 as UInt64)
    }
}
