// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// A loop whose thread the machine keeps waiting does not go on either, and is told of: the tests look
/// for the stalls that they have made.
@Suite(.offPool) struct WatchdogTests {
    /// The ways to run a closure under a label.
    enum Named: CaseIterable, Sendable {
        case post, timer, once
    }

    /// The closure blocks until the watchdog has told of it.
    @Test(arguments: Named.allCases) func aClosureThatBlocksIsNamed(_ named: Named) throws {
        let loop = try Loop(.init(name: "guarded"))
        defer { loop.shutdown() }
        let (told, over) = (Gate(), Gate())
        let stalls = Shared<[Stall]>()
        let watchdog = try loop.watchdog(after: .milliseconds(20)) { stall in
            guard stall.label == "render the page" else { return }
            stalls.append(stall)
            stall.isOver ? over.open() : told.open()
        }
        let work: @Sendable () -> Void = { told.wait() }
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

    /// One without a label is told by its place, which a timer with the same closure has, also after
    /// it has pumped.
    @Test(arguments: [false, true]) func aClosureWithoutALabelHasAPlace(pumps: Bool) throws {
        let loop = try Loop()
        defer { loop.shutdown() }
        let told = Gate()
        let place = Shared<String?>(nil)
        try loop.watchdog(after: .milliseconds(10)) { stall in
            // A stall of the machine's may come first.
            guard !stall.isOver, stall.label == nil, stall.site == place.value else { return }
            told.open()
        }
        let work: @Sendable () -> Void = {
            guard place.value != nil else { return }
            if pumps {
                let latch = Latch()
                loop.execute { latch.signal() }
                _ = latch.wait()
            }
            told.wait()
        }
        let timer = loop.schedule(after: .seconds(3600), work)
        place.value = loop.pending(limit: 1).first?.site
        #expect(place.value?.contains("+0x") == true)
        timer.cancel()
        loop.execute(work)
        told.wait()
    }

    /// A post, and a timer that is due, which no thread runs.
    @Test(arguments: [false, true]) func aLoopThatNobodyDrivesIsTold(isTimer: Bool) throws {
        let loop = try Loop.embedded(.init(name: "forgotten"))
        let (told, over, ran) = (Gate(), Gate(), Gate())
        try loop.watchdog(after: .milliseconds(5)) { stall in
            guard stall.isUnattended else { return }  // The machine's.
            #expect(stall.label == nil && stall.site == nil)
            #expect("\(stall)".contains("runOnce"))
            stall.isOver ? over.open() : told.open()
        }
        _ = loop.runOnce(.noWait)
        if isTimer {
            loop.schedule(after: .milliseconds(1)) { ran.open() }
            _ = loop.runOnce(.noWait)
        } else {
            loop.execute { ran.open() }
        }
        told.wait()
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
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try exitTest { try manualLoop().watchdog(after: .seconds(1)) { _ in } }
        }
        #expect(printed("a manual loop has no watchdog", result))
    }
}
