// SPDX-License-Identifier: Apache-2.0
#if Tracing
public import SwivelCore
public import Tracing

extension ExecutionContext {
    /// Runs `work` here once, at `deadline`, inside a span that is a child of the caller's.
    ///
    /// The span is that of `execute(tracing:)`, with the attribute ``TraceAttribute/lateness`` too.
    /// Everything else is as for `schedule(at:leeway:_:)`.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - deadline: On the context's clock.
    ///   - name: The span's operation name.
    ///   - leeway: How much later than its deadline the timer may fire.
    ///   - kind: The span's kind.
    ///   - tracer: Makes the span; `nil`: the caller's.
    ///   - work: Runs once on this context with the span, and is released. It must not end the
    ///     span.
    ///   - function: The place of the call, for the tracer.
    ///   - file: See `function`.
    ///   - line: See `function`.
    /// - Returns: The timer. A rearmed one has the lateness to its first deadline. Dropping it does
    ///   nothing.
    /// - Complexity: O(1), and one allocation for what the closure carries.
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, tracing name: String, leeway: Duration = .zero,
        ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable (_ span: any Span) -> Void,
        function: String = #function, file: String = #fileID, line: UInt = #line
    ) -> TimerHandle {
        let traced = TracedWork(
            name, ofKind: kind, tracer: tracer, on: self, function: function, file: file, line: line
        )
        // A loop runs the closure itself, and is current there. It cannot be kept: a timer that
        // holds its loop would keep it alive.
        let isLoop = self is Loop
        return schedule(at: deadline, leeway: leeway) {
            let now = isLoop ? LoopClock.Instant.now : Loop.shared.now
            traced.run(lateness: deadline.duration(to: now), work)
        }
    }

    /// Runs `work` here once, at `deadline`, inside a span that is a child of the caller's; see the
    /// form whose closure takes the span.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - deadline: On the context's clock.
    ///   - name: The span's operation name.
    ///   - leeway: How much later than its deadline the timer may fire.
    ///   - kind: The span's kind.
    ///   - tracer: Makes the span; `nil`: the caller's.
    ///   - work: Runs once on this context, and is released.
    ///   - function: The place of the call, for the tracer.
    ///   - file: See `function`.
    ///   - line: See `function`.
    /// - Returns: The timer. Dropping it does nothing.
    /// - Complexity: O(1), and one allocation for what the closure carries.
    @discardableResult
    public func schedule(
        at deadline: LoopClock.Instant, tracing name: String, leeway: Duration = .zero,
        ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable () -> Void,
        function: String = #function, file: String = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            at: deadline, tracing: name, leeway: leeway, ofKind: kind, tracer: tracer,
            { _ in work() }, function: function, file: file, line: line)
    }
}
#endif
