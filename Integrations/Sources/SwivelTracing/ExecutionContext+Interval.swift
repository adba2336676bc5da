// SPDX-License-Identifier: Apache-2.0
#if Tracing
public import SwivelCore
public import Tracing

extension ExecutionContext {
    /// Runs `work` here for each tick of a grid of instants, each in a span of its own that is a
    /// child of the caller's.
    ///
    /// The spans are those of `execute(tracing:)`, with the attributes ``TraceAttribute/lateness``,
    /// ``TraceAttribute/tick`` and ``TraceAttribute/missed`` too. For a timer that outlives its caller by far, schedule outside of a span: each tick is a trace of
    /// its own then. Everything else is as for `schedule(every:)`.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - interval: Between two instants; zero or less traps.
    ///   - name: The spans' operation name.
    ///   - startingAfter: Time to the first tick; the interval if `nil`.
    ///   - leeway: How much later than its instant a tick may fire.
    ///   - jitter: Added to each tick, in fractions of the interval. Below zero it traps.
    ///   - missed: How instants that have passed are handled.
    ///   - kind: The spans' kind.
    ///   - tracer: Makes the spans; `nil`: the caller's.
    ///   - work: Runs for each tick, and is released with the timer. It must not end the span.
    ///   - function: The place of the call, for the tracer.
    ///   - file: The place of the call, for the tracer and for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer. Dropping it does nothing.
    /// - Complexity: O(1), and one allocation for what the closure carries.
    @discardableResult
    public func schedule(
        every interval: Duration, tracing name: String, startingAfter: Duration? = nil,
        leeway: Duration = .zero, jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable (_ tick: Tick, _ span: any Span) -> Void,
        function: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        let traced = TracedWork(
            name, ofKind: kind, tracer: tracer, on: self, function: function, file: "\(file)",
            line: line)
        return schedule(
            every: interval, startingAfter: startingAfter, leeway: leeway, jitter: jitter,
            missed: missed,
            { tick in traced.run(lateness: tick.lateness, tick: tick) { work(tick, $0) } },
            file: file, line: line)
    }

    /// Runs `work` here for each tick of a grid of instants, each in a span of its own; see the
    /// form whose closure takes the span.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - interval: Between two instants; zero or less traps.
    ///   - name: The spans' operation name.
    ///   - startingAfter: Time to the first tick; the interval if `nil`.
    ///   - leeway: How much later than its instant a tick may fire.
    ///   - jitter: Added to each tick, in fractions of the interval. Below zero it traps.
    ///   - missed: How instants that have passed are handled.
    ///   - kind: The spans' kind.
    ///   - tracer: Makes the spans; `nil`: the caller's.
    ///   - work: Runs for each tick, and is released with the timer.
    ///   - function: The place of the call, for the tracer.
    ///   - file: The place of the call, for the tracer and for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The timer. Dropping it does nothing.
    /// - Complexity: O(1), and one allocation for what the closure carries.
    @discardableResult
    public func schedule(
        every interval: Duration, tracing name: String, startingAfter: Duration? = nil,
        leeway: Duration = .zero, jitter: ClosedRange<Double>? = nil, missed: MissedTicks = .skip,
        ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable (_ tick: Tick) -> Void,
        function: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            every: interval, tracing: name, startingAfter: startingAfter, leeway: leeway,
            jitter: jitter, missed: missed, ofKind: kind, tracer: tracer, { tick, _ in work(tick) },
            function: function, file: file, line: line)
    }
}
#endif
