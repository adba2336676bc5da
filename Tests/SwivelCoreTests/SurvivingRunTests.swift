// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Guarantee C4: dropping a `Coalescer`, a `Debouncer` or a `Throttle` does nothing.
@Suite(.offPool) struct SurvivingRunTests {
    private let probe = Probe()

    enum Kind: CaseIterable, Sendable { case coalescer, debouncer, throttle }

    /// An object whose run is pending for ten seconds, as a function that cancels it.
    private static func pending(
        _ kind: Kind, on loop: Loop, _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Bool {
        switch kind {
        case .coalescer:
            let coalescer = Coalescer(on: loop, after: .seconds(10), work)
            coalescer.call()
            return { coalescer.cancel() }
        case .debouncer:
            let debouncer = Debouncer<@Sendable () -> Void>(on: loop, after: .seconds(10)) { $0() }
            debouncer.call(work)
            return { debouncer.cancel() }
        case .throttle:
            let throttle = Throttle(on: loop, every: .seconds(10), edges: .trailing, work)
            throttle.call()
            return { throttle.cancel() }
        }
    }

    @Test(arguments: Kind.allCases, [true, false])
    func aPendingRunHappensAtItsTime(_ kind: Kind, inside: Bool) throws {
        let loop = try manualLoop()
        let (probe, at) = (probe, Shared<[Int]>())
        let drop: @Sendable () -> Void = {
            _ = Self.pending(kind, on: loop, probe.work { at.append(loop.elapsed) })
        }
        if inside { loop.inside(drop) } else { drop() }
        #expect(probe.live == 1 && loop.metrics.pending == 1)
        loop.advance(by: .milliseconds(9_999))
        #expect(at.value == [])
        loop.advance(by: .seconds(20))
        #expect(at.value == [10_000])
        #expect(probe.live == 0, "it is released after its run")
        #expect(loop.metrics.pending == 0 && loop.metrics.fired == 1)
    }

    @Test(arguments: Kind.allCases) func aCancelBeforeTheReleaseEndsIt(_ kind: Kind) throws {
        let loop = try manualLoop()
        do {
            let cancel = Self.pending(kind, on: loop, probe.work())
            #expect(cancel())
        }
        #expect(probe.live == 0 && loop.metrics.pending == 0)
        loop.advance(by: .seconds(20))
        #expect(probe.ran == 0)
    }

    /// The run is not wanted any more, but it was accepted.
    @Test(arguments: Kind.allCases) func theShutdownEndsItAndCountsIt(_ kind: Kind) throws {
        let loop = try manualLoop()
        _ = Self.pending(kind, on: loop, probe.work())
        #expect(loop.shutdown().cancelledTimers == 1)
        #expect(probe.ran == 0 && probe.live == 0)
    }

    @Test(arguments: Kind.allCases) func aDrainRunsIt(_ kind: Kind) throws {
        let loop = try threadedLoop()
        switch kind {
        case .coalescer: Coalescer(on: loop, after: .milliseconds(1), probe.work()).call()
        case .debouncer:
            Debouncer<@Sendable () -> Void>(on: loop, after: .milliseconds(1)) { $0() }
                .call(probe.work())
        case .throttle: Throttle(on: loop, every: .milliseconds(1), probe.work()).call()
        }
        loop.shutdown(.drain(within: .seconds(60)))
        #expect(probe.ran == 1 && probe.live == 0)
    }

    /// A loop that is not referenced ends although a run is pending.
    @Test(arguments: Kind.allCases) func aPendingRunKeepsNoLoop(_ kind: Kind) throws {
        weak var weakly: Loop?
        do {
            let loop = try manualLoop()
            weakly = loop
            _ = Self.pending(kind, on: loop, probe.work())
        }
        #expect(weakly == nil)
        #expect(probe.live == 0 && probe.ran == 0)
    }

    /// In the run itself, or by what the run releases.
    @Test(arguments: Kind.allCases) func theObjectMayGoDuringItsRun(_ kind: Kind) throws {
        let loop = try manualLoop()
        let held = Shared<(@Sendable () -> Bool)?>(nil)
        held.value = Self.pending(kind, on: loop, probe.work { held.value = nil })
        loop.advance(by: .seconds(20))
        #expect(probe.ran == 1 && probe.live == 0)
    }

    /// On every kind of context: waiting for its time, on its way, flushed, and dropped.
    @Test func aRunOnAContextSurvives() throws {
        let queue = QueueContext()
        for (number, context) in contexts(on: queue).enumerated() {
            let probe = Probe()
            func make<Context: ExecutionContext>(
                _ context: Context, after delay: Duration
            ) -> Coalescer {
                Coalescer(on: context, after: delay, probe.work())
            }
            make(context, after: .milliseconds(1)).call()
            try #require(queue.waitForArrivals(4 * number + 1))
            #expect(probe.live == 1)
            queue.runAll()
            try #require(probe.ran == 1 && eventually { probe.live == 0 })
            do {
                let coalescer = make(context, after: .hours(1))
                coalescer.call()
                coalescer.flush()
            }
            queue.waitForArrivals(4 * number + 2)
            queue.runAll()
            #expect(probe.ran == 2 && eventually { probe.live == 0 })
            make(context, after: .milliseconds(1)).call()
            queue.waitForArrivals(4 * number + 3)
            queue.dropNext()
            probe.waitForReleases(3)
            do {
                let coalescer = make(context, after: .milliseconds(1))
                coalescer.call()
                queue.waitForArrivals(4 * number + 4)
                coalescer.cancel()
            }
            queue.runAll()
            #expect(probe.ran == 2 && eventually { probe.live == 0 })
        }
    }
}

/// A user's own context: a value with a state that is not hashable.
struct PlainContext: ExecutionContext {
    let queue: QueueContext
    var number = 1

    func execute(_ work: @escaping @Sendable () -> Void) { queue.execute(work) }
    var isCurrent: Bool { queue.isCurrent }
}

/// The same queue behind every kind of context.
func contexts(on queue: QueueContext) -> [any ExecutionContext] {
    [
        queue, AnyContext(queue), AnyContext { queue.execute($0) }, queue.inheritingTaskLocals,
        AnyContext(queue).inheritingTaskLocals, PlainContext(queue: queue, number: 7),
        AnyContext(PlainContext(queue: queue)),
    ]
}
