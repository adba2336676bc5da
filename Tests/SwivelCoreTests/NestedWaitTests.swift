// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// Reports of debug builds about nested waits that hold each other up: B1.
@Suite(.offPool, .enabled(if: Machine.isDebug, "release builds say nothing"))
struct NestedWaitTests {
    /// B1: an inner wait that needs what the outer does afterwards is reported, with both call sites.
    @Test(arguments: [true, false])
    func anInnerWaitThatCannotEndIsReported(threaded: Bool) async {
        await #expect(processExitsWith: .success) { [threaded = threaded as Bool] in
            try exitTest {
                try reportAnInnerWait(on: threaded ? threadedLoop() : manualLoop())
            }
        }
    }

    /// B1, on a manual loop whose time stands before, at and after the real clock's.
    @Test(arguments: [-1_000, 0, 1_000])
    func anInnerWaitIsReportedWhereverVirtualTimeStands(seconds: Int) async {
        await #expect(processExitsWith: .success) { [seconds = seconds as Int] in
            try exitTest {
                try reportAnInnerWait(on: .manual(startingAt: .now + .seconds(seconds)))
            }
        }
    }

    /// B1: `each` waits where its caller stands.
    @Test func anEachThatCannotEndIsReportedWithItsCallSite() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let pool = WorkerPool(name: "test.pool", threads: 1)
                try reportAnInnerWait(on: threadedLoop()) { inner in
                    pool.each([0], { _ in _ = inner.wait() }, file: "Inner.swift", line: 22)
                }
            }
        }
    }

    /// An outer wait that has not met its end itself is not held up, and a wait with a limit
    /// ends: neither is reported, however long it lasts.
    @Test func waitsThatMayEndAreNotReported() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let errors = Errors()
                let latches = (0..<3).map { _ in Latch() }
                let loops = try (0..<2).map { _ in try threadedLoop() }
                let ended = Gate()
                for (number, loop) in loops.enumerated() {
                    loop.execute {
                        _ = latches[number].wait()
                        ended.open()
                    }
                }
                loops[0].execute {
                    _ = latches[2].wait()
                    ended.open()
                }
                loops[1].execute {
                    latches[1].signal()
                    // More than the second after which a wait without a limit is reported.
                    _ = latches[2].wait(until: loops[1].now.advanced(by: .milliseconds(1_500)))
                    latches[2].signal()
                    latches[0].signal()
                    ended.open()
                }
                ended.wait(times: 4)
                Diagnostics.report("the end", file: "End.swift", line: 1)
                let text = errors.line()
                require(text == "End.swift:1: Swivel: the end", text)
            }
        }
    }

    @Test func aCallSiteIsReportedOnce() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let errors = Errors()
                for (line, text) in [(1, "a"), (1, "b"), (2, "c"), (2, "d"), (1, "e"), (3, "f")] {
                    Diagnostics.report(text, file: "Site.swift", line: UInt(line))
                }
                let lines = (0..<3).map { _ in errors.line() }
                let expected = ["1: Swivel: a", "2: Swivel: c", "3: Swivel: f"]
                require(lines == expected.map { "Site.swift:" + $0 }, "\(lines)")
            }
        }
    }
}

/// Two closures of `loop` whose waits hold each other up, until the report has come.
private func reportAnInnerWait(
    on loop: Loop,
    wait: @escaping @Sendable (Latch) -> Void = { _ = $0.wait(file: "Inner.swift", line: 22) }
) throws {
    let errors = Errors()
    let (outer, inner) = (Latch(), Latch())
    let ended = Gate()
    loop.execute {
        _ = outer.wait(file: "Outer.swift", line: 11)
        inner.signal()
        ended.open()
    }
    loop.execute {
        outer.signal()
        wait(inner)
    }
    let reader = TestThread {
        let text = errors.line()
        require(text.hasPrefix("Inner.swift:22: Swivel: this wait"), text)
        require(text.contains("inside the wait at Outer.swift:11,"), text)
        inner.signal()
    }
    if loop.manual != nil { loop.runDue() }
    ended.wait()
    reader.join()
}
