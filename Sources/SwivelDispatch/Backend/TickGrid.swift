// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Which instant of its grid a tick belongs to, and when the next one is. Time is an argument.
struct TickGrid {
    enum Policy {
        /// Instants at equal distances.
        case grid(MissedTicks)
        /// Not a grid: the next tick counts from the closure's end.
        case afterCompletion
    }

    /// The instant of the next tick, jitter not counted.
    private(set) var origin: UInt64
    let interval: UInt64
    private let policy: Policy
    private let jitter: ClosedRange<Double>?
    private var added: UInt64 = 0
    private var index: UInt64 = 0
    /// Whether `origin` was set from outside while the closure ran.
    private var isMoved = false

    /// A grid whose tick 0 is at `first`.
    init(
        _ policy: Policy, first: UInt64, interval: Duration, jitter: ClosedRange<Double>? = nil
    ) {
        self.policy = policy
        self.interval = interval.nanosecondsRoundedUp
        self.jitter = jitter
        origin = first
        addJitter()
    }

    /// Whether a source that repeats by itself, and counts what it was too late for, keeps this grid.
    var isPlain: Bool {
        if case .grid(.skip) = policy { jitter == nil } else { false }
    }

    /// What counts of a leeway: half an interval at most, or it would cost ticks.
    func held(_ leeway: UInt64) -> UInt64 {
        if case .grid = policy { min(leeway, interval / 2) } else { leeway }
    }

    /// When the next tick is to start.
    var deadline: UInt64 { origin.addingSaturated(added) }

    /// The tick that starts now, which is not before the deadline.
    mutating func begin(_ now: UInt64) -> (index: UInt64, scheduled: UInt64, missed: UInt64) {
        let due = deadline
        var passed = now > due ? (now - due) / interval : 0
        var tick = (index: index, scheduled: origin, missed: UInt64(0))
        switch policy {
        case .grid(.skip):
            passed = min(passed, (.max - origin) / interval)
            tick = (index.addingSaturated(passed), origin + passed * interval, passed)
            origin = tick.scheduled.addingSaturated(interval)
        case .grid(.delay):
            tick.missed = passed
            origin = (passed == 0 ? origin : now).addingSaturated(interval)
        case .grid(.burst):
            origin = origin.addingSaturated(interval)
        case .afterCompletion:
            // Until the closure has returned.
            origin = .max
        }
        index = tick.index.addingSaturated(1)
        isMoved = false
        addJitter()
        return tick
    }

    /// The closure has returned.
    mutating func end(_ now: UInt64) {
        if case .afterCompletion = policy, !isMoved {
            origin = now.addingSaturated(interval)
        }
    }

    /// The next tick moves, and the grid goes on from there.
    mutating func move(to instant: UInt64) {
        origin = instant
        added = 0
        isMoved = true
    }

    private mutating func addJitter() {
        guard let jitter else { return }
        let nanoseconds = Double.random(in: jitter) * Double(interval)
        added = nanoseconds < 0x1p63 ? UInt64(nanoseconds) : .max
    }
}

extension UInt64 {
    /// The sum, or the largest number if it is larger.
    func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
