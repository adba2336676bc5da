// SPDX-License-Identifier: Apache-2.0

/// What a timer is to do, as ``ExecutionContext/arm(_:)`` gets it.
public struct TimerRequest: Sendable {
    /// When a timer fires first.
    public enum Start: Sendable {
        /// So long after the request, on the context's own clock. Zero or less: in the next turn.
        case after(Duration)
        /// At this instant. One that has passed: in the next turn.
        case at(LoopClock.Instant)
    }

    /// What fires.
    public enum Body: Sendable {
        /// Once, then it is released.
        case once(@Sendable () -> Void)
        /// For each tick of a grid of instants; `jitter` is in fractions of the interval.
        case every(
            Duration, missed: MissedTicks, jitter: ClosedRange<Double>?,
            @Sendable (Tick) -> Void)
        /// Again and again, with this time between the closure's end and its next start.
        case afterCompletion(Duration, @Sendable (Tick) -> Void)
    }

    /// When it fires first.
    public var start: Start
    /// How much later than its deadline it may fire.
    public var leeway: Duration
    /// What fires.
    public var body: Body

    /// A request.
    public init(_ start: Start, leeway: Duration = .zero, _ body: Body) {
        self.start = start
        self.leeway = leeway
        self.body = body
    }
}

extension TimerRequest {
    /// The first deadline as a number, given the clock's time: 0 for what is due at once. The core
    /// decides whether an instant has passed.
    func deadline(now: LoopClock.Instant) -> UInt64 {
        switch start {
        case .after(let delay):
            let nanoseconds = delay.nanosecondsRoundedUp
            return nanoseconds == 0 ? 0 : now.advanced(by: delay).nanoseconds
        case .at(let instant):
            return instant.nanoseconds
        }
    }
}
