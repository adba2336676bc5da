// SPDX-License-Identifier: Apache-2.0

/// When the body of a `withDeadline` is cancelled: an instant of a clock whose time a loop keeps.
struct Deadline: Sendable {
    enum Instant: Sendable {
        case loop(LoopClock.Instant)
        case continuous(ContinuousClock.Instant)
        case suspending(SuspendingClock.Instant)
    }

    /// On a manual loop always an instant of the loop's virtual time.
    private let instant: Instant
    /// By how much the body may be cancelled later.
    let tolerance: Duration
    /// The identity of the clock of the loop that keeps the time.
    private let time: LoopClock.ID

    /// A deadline that `loop` keeps: on a manual loop `timeout` from now, if that is known.
    init(_ instant: Instant, in timeout: Duration?, tolerance: Duration?, on loop: Loop) {
        self.tolerance = max(tolerance ?? .zero, .zero)
        time = loop.clock.id
        if loop.manual != nil, let rest = instant.rest {
            self.instant = .loop(loop.now.advanced(by: timeout ?? rest))
        } else {
            self.instant = instant
        }
    }

    /// Returns a deadline on `clock`, and the loop that keeps its time; `nil`: no loop can.
    static func kept<C: Clock>(
        _ expiration: C.Instant, in timeout: C.Instant.Duration?,
        tolerance: C.Instant.Duration?, by clock: C
    ) -> (deadline: Deadline, loop: Loop)? {
        let instant: Instant
        let loop: Loop
        // Comparing types costs less than a cast that fails.
        if C.self == ContinuousClock.self, let end = expiration as? ContinuousClock.Instant {
            (instant, loop) = (.continuous(end), .current ?? .shared)
        } else if C.self == SuspendingClock.self, let end = expiration as? SuspendingClock.Instant {
            (instant, loop) = (.suspending(end), .current ?? .shared)
        } else if C.self == LoopClock.self, let clock = clock as? LoopClock,
            let end = expiration as? LoopClock.Instant
        {
            (instant, loop) = (.loop(end), clock.timekeeper)
        } else {
            return nil
        }
        let deadline = Deadline(
            instant, in: timeout as? Duration, tolerance: tolerance as? Duration, on: loop)
        return (deadline, loop)
    }

    /// Whether the time is that of the real loops, which all of them can keep.
    var isReal: Bool { time == LoopClock.realID }

    /// The time left on a clock that is not the loop's; `nil`: the loop's clock decides.
    var rest: Duration? { instant.rest }

    /// Whether the clock has reached the deadline.
    func hasPassed(on loop: Loop) -> Bool {
        (instant.rest ?? loop.now.duration(to: instant(on: loop))) <= .zero
    }

    /// Returns the deadline on the clock of the loop that keeps its time.
    func instant(on loop: Loop) -> LoopClock.Instant {
        if case .loop(let end) = instant { return end }
        return loop.now.advanced(by: instant.rest ?? .zero)
    }

    /// Whether a body that this deadline cancels needs no timer for `inner`, a deadline within it.
    func covers(_ inner: Deadline) -> Bool {
        guard time == inner.time else { return false }
        let distance: Duration
        switch (instant, inner.instant) {
        case (.loop(let own), .loop(let other)): distance = own.duration(to: other)
        case (.continuous(let own), .continuous(let other)): distance = own.duration(to: other)
        case (.suspending(let own), .suspending(let other)): distance = own.duration(to: other)
        default: return false
        }
        // Neither earlier than `inner`, nor later than its tolerance allows.
        return distance >= max(.zero, tolerance - inner.tolerance)
    }
}

extension Deadline.Instant {
    /// The time left; `nil`: an instant of a loop.
    fileprivate var rest: Duration? {
        switch self {
        case .loop: nil
        case .continuous(let end): ContinuousClock.now.duration(to: end)
        case .suspending(let end): SuspendingClock.now.duration(to: end)
        }
    }
}
