// SPDX-License-Identifier: Apache-2.0
import InMemoryTracing
import SwivelCore
import SwivelTesting
import SwivelTracing
import Synchronization
import Testing
import Tracing

@Suite struct TracingTests {
    private let tracer = InMemoryTracer()
    private let loop: Loop

    init() throws { loop = try Loop.manual(.init(name: "io")) }

    /// Runs `body` inside a span, as the handler of a request.
    private func inRequest(_ body: () -> Void) {
        tracer.withSpan("request") { _ in body() }
    }

    private func attribute(_ name: String, of span: FinishedInMemorySpan) -> SpanAttribute? {
        span.attributes.get(name)
    }

    @Test func aPostIsAChildSpanOfItsCaller() throws {
        let seen = Seen()
        tracer.withSpan("request") { request in
            var context = request.context
            context[Greeting.self] = "hello"
            ServiceContext.$current.withValue(context) {
                loop.execute(tracing: "reply", ofKind: .server, tracer: tracer) { span in
                    span.attributes["size"] = 3
                    seen.note(ServiceContext.current)
                }
            }
        }
        #expect(tracer.finishedSpans.map(\.operationName) == ["request"])
        loop.advance(by: .zero)
        #expect(tracer.activeSpans.isEmpty)
        let (request, reply) = (tracer.finishedSpans[0], tracer.finishedSpans[1])
        #expect(reply.operationName == "reply")
        #expect(reply.kind == .server)
        #expect(reply.traceID == request.traceID)
        #expect(reply.parentSpanID == request.spanID)
        #expect(attribute(TraceAttribute.loop, of: reply) == .string("io"))
        #expect(attribute("size", of: reply) == 3)
        #expect(attribute(TraceAttribute.lateness, of: reply) == nil)
        // The closure sees the caller's baggage, and its own span.
        #expect(seen.context?[Greeting.self] == "hello")
        #expect(seen.context?.inMemorySpanContext?.spanID == reply.spanID)
        loop.shutdown()
    }

    @Test func theContextEndsWithTheClosure() throws {
        let seen = Seen()
        inRequest {
            loop.execute(tracing: "reply", tracer: tracer) {}
        }
        loop.execute { seen.note(ServiceContext.current) }
        loop.advance(by: .zero)
        #expect(seen.isNoted)
        #expect(seen.context == nil)
        loop.shutdown()
    }

    @Test func theCallersTracerIsUsed() throws {
        withTracer(tracer) { loop.execute(tracing: "reply") {} }
        loop.advance(by: .zero)
        #expect(tracer.finishedSpans.map(\.operationName) == ["reply"])
        #expect(tracer.finishedSpans.map(\.parentSpanID) == [nil])
        loop.shutdown()
    }

    @Test func aTimersSpanHasItsLateness() throws {
        inRequest {
            loop.schedule(after: .seconds(1), tracing: "expire", tracer: tracer) {}
        }
        loop.advance(by: .seconds(1))
        let expire = try #require(tracer.finishedSpans.last)
        #expect(expire.operationName == "expire")
        #expect(expire.parentSpanID == tracer.finishedSpans[0].spanID)
        #expect(attribute(TraceAttribute.loop, of: expire) == .string("io"))
        #expect(attribute(TraceAttribute.lateness, of: expire) == .int64(0))

        // An instant that has passed: the lateness is known to the nanosecond.
        let past = loop.now - .nanoseconds(1234)
        loop.schedule(at: past, tracing: "past", tracer: tracer) { _ in }
        loop.advance(by: .zero)
        let last = try #require(tracer.finishedSpans.last)
        #expect(attribute(TraceAttribute.lateness, of: last) == .int64(1234))
        loop.shutdown()
    }

    @Test func eachTickHasASpanOfItsOwn() throws {
        let timer = loop.schedule(every: .seconds(1), tracing: "beat", tracer: tracer) {
            (tick, span) in
            span.attributes["seen"] = tick.index
        }
        loop.advance(by: .seconds(3))
        timer.cancel()
        loop.advance(by: .seconds(3))
        let spans = tracer.finishedSpans
        #expect(spans.map { attribute(TraceAttribute.tick, of: $0) } == [0, 1, 2])
        #expect(spans.map { attribute("seen", of: $0) } == [0, 1, 2])
        #expect(spans.map { attribute(TraceAttribute.missed, of: $0) } == [0, 0, 0])
        for span in spans {
            #expect(attribute(TraceAttribute.lateness, of: span) == .int64(0))
        }
        #expect(Set(spans.map(\.traceID)).count == 3)
        #expect(loop.pending.isEmpty)
        loop.shutdown()
    }

    @Test func aCancelledTimerHasNoSpan() throws {
        let timer = loop.schedule(after: .seconds(1), tracing: "expire", tracer: tracer) {}
        #expect(timer.cancel() == .cancelled)
        loop.advance(by: .seconds(2))
        #expect(tracer.finishedSpans.isEmpty)
        #expect(tracer.activeSpans.isEmpty)
        loop.shutdown()
    }

    @Test func everyContextTraces() async throws {
        await withCheckedContinuation { done in
            inRequest {
                WorkerPool.shared.schedule(after: .zero, tracing: "work", tracer: tracer) {
                    done.resume()
                }
            }
        }
        // The span ends after the closure has resumed this test.
        while tracer.finishedSpans.count < 2 { await Task.yield() }
        let request = try #require(tracer.finishedSpans.first { $0.operationName == "request" })
        let work = try #require(tracer.finishedSpans.first { $0.operationName == "work" })
        #expect(work.parentSpanID == request.spanID)
        #expect(attribute(TraceAttribute.loop, of: work) == nil)
        guard case .int64(let lateness) = attribute(TraceAttribute.lateness, of: work) else {
            Issue.record("a timer has a lateness")
            return
        }
        #expect(lateness >= 0)
        await loop.shutdown()
    }

    @Test func withoutATracerTheClosureRunsWithItsContext() throws {
        let seen = Seen()
        var context = ServiceContext.topLevel
        context[Greeting.self] = "hello"
        ServiceContext.$current.withValue(context) {
            loop.execute(tracing: "reply") { seen.note(ServiceContext.current) }
        }
        loop.advance(by: .zero)
        #expect(seen.context?[Greeting.self] == "hello")
        loop.shutdown()
    }
}

private enum Greeting: ServiceContextKey {
    typealias Value = String
}

/// The service context that a closure has seen.
private final class Seen: Sendable {
    private let state = Mutex<(isNoted: Bool, context: ServiceContext?)>((false, nil))

    var isNoted: Bool { state.withLock { $0.isNoted } }
    var context: ServiceContext? { state.withLock { $0.context } }

    func note(_ context: ServiceContext?) { state.withLock { $0 = (true, context) } }
}
