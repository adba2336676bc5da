// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelSimulation
import SwivelTestSupport
import Testing

/// The reports of failing tests, which are in ``FailingTests`` and run in a process of
/// their own.
@Suite struct ReportTests {
    @Test func aFailureNamesItsSeedAndTheTest() throws {
        let output = try Self.output(of: "overdrawn")
        let replay = try #require(
            output.firstMatch(
                of:
                    /SWIVEL_SEED=\d+ SWIVEL_HASH=[0-9a-f]+,[0-9a-f]+ swift test --filter 'overdrawn\\\(\\\)'/
            ))
        #expect(output.contains("● runs"))
        #expect(output.matches(of: /SWIVEL_SEED/).count == 1, "the search ends with the first")
        // The line repeats it.
        var variables: [String: String] = [:]
        for word in replay.output.split(separator: " ").prefix(2) {
            let parts = word.split(separator: "=", maxSplits: 1)
            variables[String(parts[0])] = String(parts[1])
        }
        let again = try Self.output(of: "overdrawn", variables)
        #expect(again.contains(replay.output))
        #expect(again.contains("task 1 is made by body"))
    }

    @Test func aNoteIsInTheTimeline() async throws {
        World.note("outside of a world it does nothing")
        let run = try await simulate(seed: 1) {
            World.note("before")
            try await Task.sleep(for: .seconds(2))
            World.note("after \(World.elapsed)")
        }
        let before = try #require(run.timeline.range(of: "before"))
        let after = try #require(run.timeline.range(of: "after 2.0 seconds"))
        #expect(before.upperBound <= after.lowerBound)
        #expect(!run.timeline.contains("outside"))
    }

    @Test func anExplorationTellsItsExtent() async throws {
        let exploration = try await simulate(seeds: 3) { await Task.yield() }
        #expect(
            "\(exploration)".hasPrefix("3 runs, \(exploration.distinctTraces) of them different"))
    }

    @Test func aBlockingWaitThatNothingEndsTrapsWithItsSeed() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try await suspendingExitTest {
                try await simulate(seed: 7) { block() }
            }
        }
        #expect(printed("nothing ends this wait in a simulated world", result))
        #expect(printed("SWIVEL_SEED=7", result))
    }

    @Test func theNetworkIsTheWorlds() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            exitTest { _ = World.network }
        }
        #expect(printed("World.network outside of a simulated world", result))
    }

    @Test func aDeadlockNamesWhoWaits() throws {
        let output = try Self.output(of: "deadlocked")
        #expect(output.contains("nothing can go on, and no timer is armed"))
        #expect(output.contains("\"waiter\" (made by body) waits since 1 s"))
    }

    @Test func anExpectationInADetachedTaskBelongsToItsTest() throws {
        let output = try Self.output(of: "detachedExpectation")
        #expect(output.contains("Test detachedExpectation() recorded an issue"))
        #expect(output.contains("in a detached task"))
    }

    @Test func aThrownErrorIsAnIssue() throws {
        let output = try Self.output(of: "throwing")
        #expect(output.contains("Caught error: Broken"))
        #expect(output.contains("SWIVEL_SEED=0"))
    }

    @Test(arguments: ["trapping", "resumedTwice"])
    func theSeedIsKnownWhenTheProcessEnds(_ test: String) throws {
        let output = try Self.output(of: test)
        #expect(
            output.contains(
                "Swivel: the process ends in a simulated run. seed 0, repeat: SWIVEL_SEED=0"))
    }

    @Test func anXCTestFailsWithTheLineToo() throws {
        let output = try Self.output(
            of: String(reflecting: FailingXCTestCase.self), library: "xctest")
        #expect(output.contains("testOverdrawn"))
        #expect(output.contains("SWIVEL_SEED="))
    }

    /// Runs one of the failing tests.
    private static func output(
        of test: String, _ variables: [String: String] = [:], library: String = "swift-testing"
    ) throws -> String {
        let outcome = try ChildProgram.tests.run(
            library == "xctest" ? [test] : ["--filter", test, "--testing-library", library],
            environment: variables.merging(["SWIVEL_TEST_FAILING": "1"]) { $1 })
        #expect(!outcome.succeeded)
        return outcome.output
    }
}

/// Waits on the thread, forever.
private func block() { _ = Latch().wait() }

/// These fail on purpose.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SWIVEL_TEST_FAILING"] != nil))
struct FailingTests {
    private struct Broken: Error {}

    @Test(.simulated(seeds: 200)) func overdrawn() async {
        let account = Account()
        async let one: Void = payCarelessly(80, from: account)
        async let other: Void = payCarelessly(80, from: account)
        _ = await (one, other)
        #expect(await account.balance >= 0)
    }

    @Test(.simulated(seeds: 5)) func deadlocked() async {
        let waiter = Task(name: "waiter") {
            try? await Task.sleep(for: .seconds(1))
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        await waiter.value
    }

    @Test(.simulated(seeds: 5)) func detachedExpectation() async {
        await Task.detached { #expect(1 == 2) }.value
    }

    @Test(.simulated(seeds: 5)) func throwing() async throws {
        await Task.yield()
        throw Broken()
    }

    @Test(.simulated(seeds: 5)) func trapping() async {
        await Task { if World.isCurrent { fatalError("on purpose") } }.value
    }

    @Test(.simulated(seeds: 5)) func resumedTwice() async {
        await withCheckedContinuation { continuation in
            for _ in 0..<2 { continuation.resume() }
        }
    }
}
