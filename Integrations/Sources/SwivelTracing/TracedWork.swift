// SPDX-License-Identifier: Apache-2.0
#if Tracing
internal import SwivelCore
internal import Tracing

/// The place of a call in the program, and what it has said about its spans.
struct TracedWork: Sendable {
    private let name: String
    private let kind: SpanKind
    private let function: String
    private let file: String
    private let line: UInt
    private let loop: String?
    private let context: ServiceContext
    private let tracer: any Tracer

    /// Keeps the caller's service context and tracer, which the closure's own thread does not have.
    init(
        _ name: String, ofKind kind: SpanKind, tracer: (any Tracer)?,
        on context: some ExecutionContext, function: String, file: String, line: UInt
    ) {
        self.name = name
        self.kind = kind
        self.function = function
        self.file = file
        self.line = line
        loop = (context as? Loop)?.name
        self.context = ServiceContext.current ?? .topLevel
        self.tracer = tracer ?? InstrumentationSystem.tracer
    }

    /// Runs `work` inside a span.
    ///
    /// - Parameters:
    ///   - lateness: How late the closure starts; `nil` if it is no timer's.
    ///   - tick: The tick; `nil` if the closure is no repeating timer's.
    func run(
        lateness: Duration? = nil, tick: Tick? = nil, _ work: (any Span) -> Void
    ) {
        tracer.withSpan(
            name, context: context, ofKind: kind, function: function, file: file, line: line
        ) { span in
            if span.isRecording {
                describe(span, lateness, tick)
            }
            work(span)
        }
    }

    private func describe(_ span: any Span, _ lateness: Duration?, _ tick: Tick?) {
        var attributes: SpanAttributes = [:]
        if let loop { attributes[TraceAttribute.loop] = loop }
        if let lateness {
            attributes[TraceAttribute.lateness] = Int64(
                clamping: lateness.attoseconds / 1_000_000_000)
        }
        if let tick {
            attributes[TraceAttribute.tick] = tick.index
            attributes[TraceAttribute.missed] = tick.missed
        }
        span.attributes.merge(attributes)
    }
}
#endif
