// SPDX-License-Identifier: Apache-2.0
import SwivelSimulation
import Testing

@Suite struct PlantedBugTests {
    private struct Broken: Error {}

    @Test(arguments: PlantedBug.allCases) func aBugIsFound(_ bug: PlantedBug) async throws {
        let failure = await #expect(throws: SimulationFailure.self) {
            try await simulate(seeds: 1_000) {
                guard try await bug.holds(corrected: false) else { throw Broken() }
            }
        }
        let reason: SimulationFailure.Reason = bug == .lostWakeUp ? .deadlock : .thrown
        #expect(failure?.reason == reason)
        // The same seed fails again.
        let seed = try #require(failure?.run?.seed)
        await #expect(throws: (any Error).self) {
            try await simulate(seed: seed) {
                guard try await bug.holds(corrected: false) else { throw Broken() }
            }
        }
    }

    @Test(arguments: PlantedBug.allCases)
    func theCorrectedProgramSurvives(_ bug: PlantedBug) async throws {
        let exploration = try await simulate(seeds: 2_000) {
            guard try await bug.holds(corrected: true) else { throw Broken() }
        }
        #expect(exploration.distinctTraces > 1)
    }

    @Test(
        arguments: PlantedBug.allCases,
        [
            SimulationStrategy.pct(depth: 3, steps: 60), .delayBounded(delays: 3, steps: 60),
        ])
    func otherStrategiesFindItToo(_ bug: PlantedBug, _ strategy: SimulationStrategy) async {
        await #expect(throws: SimulationFailure.self) {
            try await simulate(seeds: 1_000, .strategy(strategy)) {
                guard try await bug.holds(corrected: false) else { throw Broken() }
            }
        }
    }
}
