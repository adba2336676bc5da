// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Testing

/// Fire against cancel and rearm on real threads.
@Suite struct RaceTests {
    @Test func whatARearmHasMovedDoesNotFireBefore() async throws {
        let seed = announcedSeed("RaceTests, rearm")
        let result = try await offPool {
            var races = swivel_rearm_races()
            races.races = 24_000
            races.seed = seed
            swivel_rearm_races_run(&races)
            return races
        }
        print("RaceTests, rearm: \(result.moved) moved, \(result.over) were over")
        #expect(result.early == 0)
        #expect(result.lost == 0, "not fired exactly once")
        #expect(result.pending == 0)
        #expect(result.moved >= 1200, "the race was one-sided")
        #expect(result.over >= 1200, "the race was one-sided")
    }

    @Test func threeThreadsArmCancelAndRearmTheSameTimers() async throws {
        let seed = announcedSeed("RaceTests, relay")
        let result = try await offPool {
            var relay = swivel_relay()
            relay.timers = 100_000
            relay.seed = seed
            swivel_relay_run(&relay)
            return relay
        }
        print(
            "RaceTests, relay: \(result.ran) ran, \(result.cancelled) cancelled, "
                + "\(result.moved) moved")
        #expect(result.wrong == 0)
        #expect(result.ran + result.cancelled == 100_000)
        #expect(result.pending == 0)
        // Of sixteen timers one each is the other thread's to reach first, an hour ahead.
        #expect(result.cancelled >= 100_000 / 16, "the race was one-sided")
        #expect(result.moved >= 100_000 / 16, "the race was one-sided")
    }
}
