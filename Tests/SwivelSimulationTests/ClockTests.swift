// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelSimulation
import Testing

@Suite struct ClockTests {
    @Test func allClocksShowTheWorldsTime() async throws {
        let began = ContinuousClock.now
        let run = try await simulate(seed: 1) {
            let continuous = ContinuousClock.now
            let suspending = SuspendingClock.now
            let loop = LoopClock.Instant.now
            let date = Date()
            let dispatch = DispatchTime.now().uptimeNanoseconds
            for _ in 0..<24 { try await Task.sleep(for: .seconds(3600)) }
            #expect(continuous.duration(to: .now) == .seconds(86400))
            #expect(suspending.duration(to: .now) == .seconds(86400))
            #expect(loop.duration(to: .now) == .seconds(86400))
            #expect(Date().timeIntervalSince(date) == 86400)
            #expect(DispatchTime.now().uptimeNanoseconds - dispatch == 86_400_000_000_000)
            #expect(World.elapsed == .seconds(86400))
            #expect(World.isCurrent)
        }
        #expect(run.elapsed == .seconds(86400))
        #expect(run.escapes == [])
        #expect(began.duration(to: .now) < .seconds(20))
        #expect(!World.isCurrent)
    }

    @Test func sleepsOfAllKindsAreTheWorlds() async throws {
        let run = try await simulate(seed: 3) {
            let sleeper = Sleeper()
            try await sleeper.sleep()
            try await Task { try await sleeper.sleep() }.value
            try await Task.detached { try await sleeper.sleep() }.value
            try await Task { @MainActor in try await Task.sleep(for: .seconds(3600)) }.value
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            try await SuspendingClock().sleep(for: .seconds(3600))
            try await LoopClock().sleep(for: .seconds(3600))
            async let child: Void = Task.sleep(for: .seconds(3600))
            try await child
        }
        #expect(run.elapsed == .seconds(8 * 3600))
        #expect(run.escapes == [])
    }

    @Test func sleepsOfOneInstantEndInAnyOrder() async throws {
        var orders: Set<[Int]> = []
        for seed in UInt64(0)..<100 {
            let order = Box<[Int]>([])
            try await simulate(seed: seed) {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<3 {
                        group.addTask {
                            try? await Task.sleep(for: .seconds(1))
                            order.value.append(number)
                        }
                    }
                }
                #expect(World.elapsed == .seconds(1))
            }
            orders.insert(order.value)
        }
        #expect(orders.count == 6)
    }

    @Test func aCancelledSleepEndsAtOnce() async throws {
        let run = try await simulate(seed: 1) {
            let task = Task { try await Task.sleep(for: .seconds(3600)) }
            try await Task.sleep(for: .seconds(1))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(run.elapsed == .seconds(1))
    }

    @Test func theWallClockJumpsAndTheOthersDoNot() async throws {
        let jumps = Box(0)
        for seed in UInt64(0)..<50 {
            try await simulate(seed: seed, .clockJumps(upTo: .seconds(600))) {
                let (date, instant) = (Date(), ContinuousClock.now)
                await Task { for _ in 0..<40 { await Task.yield() } }.value
                #expect(instant == .now)
                if abs(Date().timeIntervalSince(date)) > 1 { jumps.value += 1 }
            }
        }
        #expect(jumps.value > 10, "\(jumps.value)")
    }

    @Test func systemRandomNumbersAreTheSeeds() async throws {
        let numbers = Box<[[Int]]>([])
        for seed in [1, 1, 2] as [UInt64] {
            try await simulate(seed: seed) {
                var generator = SystemRandomNumberGenerator()
                numbers.value.append(
                    [.random(in: 0..<1_000_000), Int(generator.next() >> 1)]
                        + Array(0..<10).shuffled())
            }
        }
        #expect(numbers.value[0] == numbers.value[1])
        #expect(numbers.value[0] != numbers.value[2])
        #expect(Int.random(in: 0..<Int.max) != Int.random(in: 0..<Int.max))
    }
}

private actor Sleeper {
    func sleep() async throws { try await Task.sleep(for: .seconds(3600)) }
}
