// SPDX-License-Identifier: Apache-2.0
#if DEBUG
import SwivelCore
import SwivelTestSupport
import Testing

/// Reports of debug builds about waits for manual loops. Each line comes from a look that the test makes.
@Suite struct ManualWaitTests {
    /// Calls `body` with a wait for `loop`, and checks that the looks in it report nothing.
    private static func expectSilence(
        for loop: Loop, _ body: (ManualWait) -> Void
    ) throws {
        let errors = Errors()
        body(ManualWait(for: [loop], "wait(_:)", "Silent.swift", 1))
        try expectNextReport(errors)
    }

    /// Has a loop reported that has work and stands, and checks that nothing comes before that.
    private static func expectNextReport(_ errors: Errors) throws {
        let marker = try Loop.manual()
        marker.execute {}
        ManualWait(for: [marker], "wait(_:)", "Marker.swift", 1).check([marker])
        let text = errors.line()
        require(text.hasPrefix("Marker.swift:1: Swivel: wait(_:) has waited"), text)
    }

    @Test func aLoopWithWorkThatNoThreadDrivesIsReportedOnce() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, errors) = (try manualLoop(), Errors())
                loop.schedule(after: .seconds(1)) {}
                let wait = ManualWait(for: [AnyContext(loop)], "wait(_:)", "Wait.swift", 7)
                wait.check([AnyContext(loop)])
                wait.check([AnyContext(loop)])
                let text = errors.line()
                require(text.hasPrefix("Wait.swift:7: Swivel: wait(_:) has waited"), text)
                require(text.contains("Loop(test.manual), a manual loop, which no thread"), text)
                try Self.expectNextReport(errors)
            }
        }
    }

    @Test func aLoopThatHasTurnedSinceTheLastLookIsNotReported() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try manualLoop()
                loop.schedule(after: .seconds(1)) {}
                try Self.expectSilence(for: loop) { wait in
                    loop.runDue()
                    wait.check([loop])
                }
            }
        }
    }

    @Test func aLoopWithoutWorkIsNotReported() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try manualLoop()
                loop.schedule(at: .never) {}
                loop.runDue()
                try Self.expectSilence(for: loop) { $0.check([loop]) }
            }
        }
    }

    @Test func aLoopThatAnotherThreadDrivesIsNotReported() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try manualLoop()
                let (inside, goOn) = (Gate(), Gate())
                loop.execute {
                    inside.open()
                    goOn.wait()
                }
                let driver = TestThread { loop.runDue() }
                inside.wait()
                loop.execute {}
                try Self.expectSilence(for: loop) { $0.check([loop]) }
                goOn.open()
                driver.join()
            }
        }
    }

    @Test func aRealLoopIsNotReported() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try threadedLoop()
                let (inside, goOn) = (Gate(), Gate())
                loop.execute {
                    inside.open()
                    goOn.wait()
                }
                inside.wait()
                loop.execute {}
                try Self.expectSilence(for: loop) { $0.check([loop]) }
                goOn.open()
                loop.shutdown()
            }
        }
    }

    @Test func aLoopThatIsGoneIsNotFoundByItsAddress() throws {
        var loop: Loop? = try manualLoop()
        let address = try #require(
            loop.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) })
        #expect(OpenLoops.hasManual(at: address) && OpenLoops.manual(at: address) === loop)
        loop = nil
        #expect(!OpenLoops.hasManual(at: address) && OpenLoops.manual(at: address) == nil)
    }
}
#endif
