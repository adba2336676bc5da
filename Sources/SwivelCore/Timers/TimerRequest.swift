// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The order to arm a timer; see ``ExecutionContext/arm(_:)``.
public struct TimerRequest: Sendable {
    /// When a timer fires first.
    package enum Start: Sendable {
        /// This long after the request, on the context's own clock. Zero or less: in the next turn.
        case after(Duration)
        /// At this instant. One that has passed: in the next turn.
        case at(LoopClock.Instant)
    }

    /// The closure that fires, and how often.
    package enum Body: Sendable {
        /// Once, then it is released.
        case once(@Sendable () -> Void)
        /// For each tick of a grid of instants; `jitter` is in fractions of the interval.
        case every(
            Duration, missed: MissedTicks, jitter: ClosedRange<Double>?,
            @Sendable (Tick) -> Void)
        /// Again and again, with this time between the closure's end and its next start.
        case afterCompletion(Duration, @Sendable (Tick) -> Void)

        /// The same, with another closure, made of the closure that fires.
        package func with(
            once: (@escaping @Sendable () -> Void) -> @Sendable () -> Void,
            tick: (@escaping @Sendable (Tick) -> Void) -> @Sendable (Tick) -> Void
        ) -> Self {
            switch self {
            case .once(let run): .once(once(run))
            case .every(let interval, let missed, let jitter, let run):
                .every(interval, missed: missed, jitter: jitter, tick(run))
            case .afterCompletion(let delay, let run): .afterCompletion(delay, tick(run))
            }
        }
    }

    package var start: Start
    /// How much later than its deadline it may fire.
    package var leeway: Duration
    package var body: Body
    package var label: StaticString?
    /// The closure under its label: what a timer keeps.
    package var labelledBody: Body { body.labelled(label) }

    /// A request. Traps at the place of the program's call if ``Body/check(file:line:)`` does.
    package init(
        _ start: Start, leeway: Duration = .zero, _ body: Body, label: StaticString? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        body.check(file: file, line: line)
        self.start = start
        self.leeway = leeway
        self.body = body
        self.label = label
    }
}

extension TimerRequest.Body {
    /// Traps on an interval that is not above zero, and on jitter below zero: both would make ticks
    /// early, or endless at one instant.
    package func check(file: StaticString = #fileID, line: UInt = #line) {
        switch self {
        case .once:
            break
        case .every(let interval, _, let jitter, _):
            SwivelCore.check(
                interval > .zero,
                "an interval must be above zero, not \(interval); use execute(_:) to run at once",
                file: file, line: line)
            SwivelCore.check(
                jitter.map { $0.lowerBound >= 0 && $0.upperBound.isFinite } ?? true,
                "jitter must lie in 0..., not \(jitter ?? 0...0): a tick is never early",
                file: file, line: line)
        case .afterCompletion(let delay, _):
            SwivelCore.check(
                delay > .zero, "a delay between ticks must be above zero, not \(delay)",
                file: file, line: line)
        }
    }
}

// For the core.
extension TimerRequest {
    /// The body's closure, as words that the caller owns.
    var work: swivel_work {
        switch labelledBody {
        case .once(let run): Work.words(run)
        case .every(_, _, _, let run), .afterCompletion(_, let run): RepeatingWork.words(run)
        }
    }

    /// Whether it starts at once, as a post.
    private var isPost: Bool {
        if case .after(let delay) = start { delay <= .zero } else { false }
    }

    /// The first deadline, given the clock's time; 0 stands for a post. The core decides whether an
    /// instant has passed.
    func deadline(now: LoopClock.Instant) -> UInt64 {
        switch start {
        case .after(let delay): isPost ? 0 : now.advanced(by: delay).nanoseconds
        case .at(let instant): instant.nanoseconds
        }
    }

    /// The grid of a repeating timer; `nil`: it is none. Its first instant is 0 for a post.
    func grid(now: LoopClock.Instant) -> swivel_grid? {
        var grid = swivel_grid()
        switch body {
        case .once:
            return nil
        case .every(let interval, let missed, let jitter, _):
            grid.interval_ns = interval.nanosecondsRoundedUp
            grid.missed = missed.policy
            grid.jitter_low = Float(jitter?.lowerBound ?? 0)
            grid.jitter_high = Float(jitter?.upperBound ?? 0)
        case .afterCompletion(let delay, _):
            grid.interval_ns = delay.nanosecondsRoundedUp
            grid.missed = SWIVEL_AFTER_COMPLETION
        }
        // A grid that began at the clock's zero begins at 1.
        grid.first_ns = isPost ? 0 : max(deadline(now: now), 1)
        return grid
    }
}
