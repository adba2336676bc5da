// SPDX-License-Identifier: Apache-2.0
#if Tracing
public import SwivelCore
public import Tracing

extension ExecutionContext {
    /// Runs `work` here, inside a span that is a child of the caller's.
    ///
    /// `ServiceContext.current`, as it is at this call, comes with the closure, and so does the
    /// tracer. The span begins when the closure starts, not at this call, and ends when it returns.
    /// On a loop it has the attribute ``TraceAttribute/loop``. A closure that never runs has no
    /// span.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - name: The span's operation name.
    ///   - kind: The span's kind.
    ///   - tracer: Makes the span; `nil`: the caller's, which is that of `withTracer` or the one
    ///     that the program has bootstrapped.
    ///   - work: Runs once on this context with the span, and is released. It must not end the
    ///     span.
    ///   - function: The place of the call, for the tracer.
    ///   - file: See `function`.
    ///   - line: See `function`.
    /// - Complexity: As `execute(_:)`, and one allocation for what the closure carries.
    public func execute(
        tracing name: String, ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable (_ span: any Span) -> Void,
        function: String = #function, file: String = #fileID, line: UInt = #line
    ) {
        let traced = TracedWork(
            name, ofKind: kind, tracer: tracer, on: self, function: function, file: file, line: line
        )
        execute { traced.run(work) }
    }

    /// Runs `work` here, inside a span that is a child of the caller's; see the form whose closure
    /// takes the span.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - name: The span's operation name.
    ///   - kind: The span's kind.
    ///   - tracer: Makes the span; `nil`: the caller's.
    ///   - work: Runs once on this context, and is released.
    ///   - function: The place of the call, for the tracer.
    ///   - file: See `function`.
    ///   - line: See `function`.
    /// - Complexity: As `execute(_:)`, and one allocation for what the closure carries.
    public func execute(
        tracing name: String, ofKind kind: SpanKind = .internal, tracer: (any Tracer)? = nil,
        _ work: @escaping @Sendable () -> Void,
        function: String = #function, file: String = #fileID, line: UInt = #line
    ) {
        execute(
            tracing: name, ofKind: kind, tracer: tracer, { _ in work() },
            function: function, file: file, line: line)
    }
}
#endif
