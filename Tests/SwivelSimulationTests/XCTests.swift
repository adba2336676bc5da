// SPDX-License-Identifier: Apache-2.0
import SwivelSimulation
import XCTest

final class SimulatedXCTestCase: XCTestCase {
    func testBodyIsSimulated() async {
        await simulate(seeds: 100, .verified) {
            XCTAssertTrue(World.isCurrent)
            let account = Account()
            async let one: Void = account.pay(80)
            async let other: Void = account.pay(80)
            _ = await (one, other)
            let balance = await account.balance
            XCTAssertEqual(balance, 20)
            try await Task.sleep(for: .seconds(3600))
        }
        XCTAssertFalse(World.isCurrent)
    }

    func testOrdinaryTestsAreNot() async throws {
        let began = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(20))
        XCTAssertGreaterThanOrEqual(began.duration(to: .now), .milliseconds(20))
        XCTAssertFalse(World.isCurrent)
    }

    @MainActor func testMainActorIsThePlatforms() async throws {
        MainActor.preconditionIsolated()
        await Task.yield()
        try await Task.sleep(for: .milliseconds(5))
        MainActor.preconditionIsolated()
    }
}

/// Fails on purpose.
final class FailingXCTestCase: XCTestCase {
    func testOverdrawn() async throws {
        let isAsked = ProcessInfo.processInfo.environment["SWIVEL_TEST_FAILING"] != nil
        try XCTSkipUnless(isAsked, "it fails on purpose")
        await simulate(seeds: 200) {
            let account = Account()
            async let one: Void = payCarelessly(80, from: account)
            async let other: Void = payCarelessly(80, from: account)
            _ = await (one, other)
            let balance = await account.balance
            XCTAssertGreaterThanOrEqual(balance, 0)
        }
    }
}
