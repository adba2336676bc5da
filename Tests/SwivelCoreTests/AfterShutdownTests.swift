// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Everything after shutdown: S2.
@Suite(.offPool) struct AfterShutdownTests {
    private let probe = Probe()

    /// How a loop was closed.
    enum Kind: CaseIterable, Sendable { case manual, threaded, embedded, fromItsClosure }

    private func closedLoop(_ kind: Kind) throws -> Loop {
        switch kind {
        case .manual:
            let loop = try manualLoop()
            loop.shutdown()
            return loop
        case .threaded:
            let loop = try threadedLoop()
            loop.shutdown()
            return loop
        case .embedded:
            let loop = try Loop.embedded()
            loop.shutdown(.drain(within: .seconds(1)))
            return loop
        case .fromItsClosure:
            let loop = try threadedLoop()
            loop.onThread { _ = loop.shutdown() }
            loop.shutdown()
            return loop
        }
    }

    /// S2: posts and schedules of every form are refused, released and counted.
    @Test(arguments: Kind.allCases)
    func everythingIsRefusedAndReleased(kind: Kind) throws {
        let loop = try closedLoop(kind)
        loop.execute(probe.work())
        #expect(!loop.tryExecute(probe.work()))
        let handles = [
            loop.schedule(after: .zero, probe.work()),
            loop.schedule(after: .seconds(1), probe.work()),
            loop.schedule(after: .seconds(1), leeway: .seconds(1), probe.work()),
            loop.schedule(after: .seconds(Int64.max), probe.work()),
            loop.schedule(at: .now, probe.work()),
            loop.schedule(at: .never, probe.work()),
            loop.schedule(every: .seconds(1), probe.work()),
            loop.schedule(every: .seconds(1), probe.tick()),
            loop.schedule(everyAfterCompletion: .seconds(1), probe.work()),
            loop.once("closed", after: .seconds(1), probe.work()),
        ]
        #expect(probe.made == 12)
        #expect(probe.live == 0 && probe.ran == 0)
        for handle in handles {
            #expect(!handle.isPending)
            #expect(!handle.rearm(after: .zero))
            #expect(handle.cancel() == .finished)
            _ = handle.scoped()
        }
        #expect(loop.metrics.refused == 12)
        #expect(loop.shutdown().refused == 12)
    }

    /// Every other question to a closed loop gets a harmless answer.
    @Test(arguments: Kind.allCases)
    func everythingElseIsHarmless(kind: Kind) throws {
        let loop = try closedLoop(kind)
        loop.stop()
        #expect(!loop.isCurrent)
        #expect(loop.now.nanoseconds > 0)
        _ = loop.turnTime
        _ = loop.description
        #expect(loop.metrics.pending == 0)
        #expect(loop.fileDescriptor == -1)
        if kind == .manual || kind == .embedded {
            loop.run()
            #expect(!loop.runOnce(.noWait))
            #expect(!loop.runOnce(.wait))
            #expect(loop.nextDeadline == nil)
        }
        if kind == .manual {
            loop.advance(by: .seconds(1))
        }
        let visited = Counter()
        loop.each(0..<5) { _ in visited.add() }
        #expect(visited.value == 0, "a closed loop runs nothing, and no thread waits for it")
    }

    /// S2: closures that are released by the shutdown are refused in their turn.
    @Test func whatReleasedClosuresScheduleIsRefused() throws {
        let loop = try threadedLoop()
        let probe = probe
        for _ in 0..<20 {
            loop.schedule(
                after: .hours(1),
                probe.reentrant {
                    loop.execute(probe.work())
                    loop.schedule(after: .zero, probe.work())
                    loop.schedule(after: .hours(1), probe.work())
                    loop.schedule(every: .hours(1), probe.work())
                    #expect(!loop.shutdown().isComplete || !loop.isCurrent)
                })
        }
        let report = loop.shutdown()
        #expect(report.cancelledTimers == 20)
        #expect(probe.ran == 0 && probe.live == 0)
        #expect(loop.metrics.refused == 80)
    }
}
