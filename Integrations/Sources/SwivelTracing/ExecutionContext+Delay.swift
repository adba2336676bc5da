// SPDX-License-Identifier: Apache-2.0
#if Tracing
public import SwivelCore
public import Tracing

extension ExecutionContext {
    /// Runs `work` here once, `delay` from now, inside a span that is a child of the caller's.
    ///
    /// The span is that of `execute(tracing:)`, with the attribute ``TraceAttribute/lateness`` too.
    /// Everything else is as for `schedule(after:leeway:_:)`.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - delay: From now; fractions of a nanosecond round up.
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
        after delay: Duration, tracing name: String, leeway: Duration = .zero,
        ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable (_ span: any Span) -> Void,
        function: String = #function, file: String = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            at: timekeeper.now.advanced(by: max(delay, .zero)), tracing: name, leeway: leeway,
            ofKind: kind, tracer: tracer, work, function: function, file: file, line: line)
    }

    /// Runs `work` here once, `delay` from now, inside a span that is a child of the caller's; see
    /// the form whose closure takes the span.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - delay: From now; fractions of a nanosecond round up.
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
        after delay: Duration, tracing name: String, leeway: Duration = .zero,
        ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable () -> Void,
        function: String = #function, file: String = #fileID, line: UInt = #line
    ) -> TimerHandle {
        schedule(
            after: delay, tracing: name, leeway: leeway, ofKind: kind, tracer: tracer,
            { _ in work() }, function: function, file: file, line: line)
    }

    /// The loop that keeps the time of this context's timers.
    var timekeeper: Loop { (self as? Loop) ?? .shared }
}
#endif
