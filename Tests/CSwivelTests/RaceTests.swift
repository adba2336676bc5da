// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Testing

/// Fire against cancel and rearm, 200,000 times and more, on real threads.
@Suite struct RaceTests {
    struct Race: Sendable, CustomTestStringConvertible {
        let name: String
        let mode: swivel_race_mode
        let count: UInt32

        var testDescription: String { name }
    }

    static let races = [
        Race(name: "parked", mode: SWIVEL_RACE_PARKED, count: 80_000),
        Race(name: "busy", mode: SWIVEL_RACE_BUSY, count: 40_000),
        Race(name: "about to park", mode: SWIVEL_RACE_PARKING, count: 80_000),
    ]

    @Test(arguments: races)
    func exactlyOneOfFireAndCancelWins(_ race: Race) async throws {
        let seed = announcedSeed("RaceTests, \(race.name)")
        // Where a batch takes milliseconds there are fewer.
        let count = swivel_is_portable() ? race.count / 20 : race.count
        let result = try await offPool {
            var races = swivel_races()
            races.mode = race.mode
            races.races = count
            races.seed = seed
            swivel_races_run(&races)
            return races
        }
        let all = Double(count)
        let fired = result.running + result.finished
        print(
            "RaceTests, \(race.name): \(result.cancelled) cancelled, \(fired) fired "
                + "(\(result.running) under way)")
        #expect(result.cancelled + fired == UInt64(count))
        #expect(result.both == 0, "ran although the cancel had won")
        #expect(result.neither == 0, "did not run although the cancel had lost")
        #expect(result.unequal == 0, "not released exactly once")
        #expect(result.early == 0, "before its deadline")
        #expect(result.pending == 0)
        #expect(Double(result.cancelled) >= 0.05 * all, "the race was one-sided")
        #expect(Double(fired) >= 0.05 * all, "the race was one-sided")
    }

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

    @Test func aKeptTimerKeepsItsPromisesUnderFire() async throws {
        let seed = announcedSeed("RaceTests, kept")
        let result = try await offPool {
            var races = swivel_kept_races()
            races.rounds = 20_000
            races.seed = seed
            swivel_kept_races_run(&races)
            return races
        }
        print(
            "RaceTests, kept: \(result.armed) armed, \(result.ticked) ticked, "
                + "\(result.disarmed) disarmed, \(result.running) under way, \(result.freed) freed")
        #expect(result.early == 0, "ticked before the last arm's deadline")
        #expect(result.ghosts == 0, "ticked after a disarm or a free")
        #expect(result.lost == 0, "armed, left alone, and did not tick once")
        #expect(result.unequal == 0, "not released exactly once")
        #expect(result.pending == 0)
        #expect(result.disarmed > 100)
        #expect(result.freed > 100)
    }
}
