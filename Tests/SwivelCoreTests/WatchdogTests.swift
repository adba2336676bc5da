// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// A loop whose thread the machine does not run stalls as well, and is reported: the tests wait for
/// the stalls that they have made.
@Suite(.offPool) struct WatchdogTests {
    /// The ways to run a closure under a label.
    enum Named: CaseIterable, Sendable { case post, timer, once }

    /// The closure blocks until the watchdog has reported it.
    @Test(arguments: Named.allCases) func aClosureThatBlocksIsNamed(_ named: Named) throws {
        let loop = try Loop(.init(name: "guarded"))
        defer { loop.shutdown() }
        let (reported, over) = (Gate(), Gate())
        let stalls = Shared<[Stall]>()
        let watchdog = try loop.watchdog(after: .milliseconds(20)) { stall in
            guard stall.label == "render the page" else { return }
            stalls.append(stall)
            stall.isOver ? over.open() : reported.open()
        }
        let work: @Sendable () -> Void = { reported.wait() }
        switch named {
        case .post: loop.execute(label: "render the page", work)
        case .timer: loop.schedule(after: .milliseconds(1), label: "render the page", work)
        case .once: loop.once("page", label: "render the page", work)
        }
        over.wait()
        let pair = stalls.value.prefix(2)
        #expect(pair.map(\.isOver) == [false, true])
        #expect(pair.allSatisfy { $0.loop == "guarded" && $0.duration >= .milliseconds(20) })
        #expect(pair[0].duration <= pair[1].duration)
        watchdog.cancel()
        #expect(!watchdog.isActive)
    }

    /// A closure without a label is reported by its site, which a timer with the same closure has, also
    /// after it has pumped.
    @Test(arguments: [false, true]) func aClosureWithoutALabelHasASite(pumps: Bool) throws {
        let loop = try Loop()
        defer { loop.shutdown() }
        let reported = Gate()
        let site = Shared<String?>(nil)
        try loop.watchdog(after: .milliseconds(10)) { stall in
            // A stall of the machine's may come first.
            guard !stall.isOver, stall.label == nil, stall.site == site.value else { return }
            reported.open()
        }
        let work: @Sendable () -> Void = {
            guard site.value != nil else { return }
            if pumps {
                let latch = Latch()
                loop.execute { latch.signal() }
                _ = latch.wait()
            }
            reported.wait()
        }
        let timer = loop.schedule(after: .seconds(3600), work)
        site.value = loop.pending(limit: 1).first?.site
        #expect(site.value?.contains("+0x") == true)
        timer.cancel()
        loop.execute(work)
        reported.wait()
    }

    /// A post, and a timer that is due, which no thread runs.
    @Test(arguments: [false, true]) func aLoopThatNoThreadDrivesIsReported(isTimer: Bool) throws {
        let loop = try Loop.embedded(.init(name: "forgotten"))
        let (reported, over, ran) = (Gate(), Gate(), Gate())
        try loop.watchdog(after: .milliseconds(5)) { stall in
            guard stall.isUnattended else { return }  // The machine's.
            #expect(stall.label == nil && stall.site == nil)
            #expect("\(stall)".contains("runOnce"))
            stall.isOver ? over.open() : reported.open()
        }
        _ = loop.runOnce(.noWait)
        if isTimer {
            loop.schedule(after: .milliseconds(1)) { ran.open() }
            _ = loop.runOnce(.noWait)
        } else {
            loop.execute { ran.open() }
        }
        reported.wait()
        #expect(ran.opened == 0)
        while ran.opened == 0 { _ = loop.runOnce(.noWait) }
        over.wait()
    }

    @Test func aLimitIsAMillisecondAtLeast() throws {
        let loop = try Loop()
        defer { loop.shutdown() }
        #expect(throws: SwivelError.self) { try loop.watchdog(after: .microseconds(999)) { _ in } }
    }

    @Test func aManualLoopHasNone() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try exitTest { try manualLoop().watchdog(after: .seconds(1)) { _ in } }
        }
        #expect(printed("a manual loop has no watchdog", result))
    }
}
