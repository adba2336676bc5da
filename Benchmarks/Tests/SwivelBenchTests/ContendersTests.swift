// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Swivel
internal import Testing

@testable internal import swivel_bench

/// Each contender does the work that it is measured for: the counts are asserted inside, so that a
/// measurement that comes back at all was right.
@Suite(.serialized)
struct ContendersTests {
    private static let timers: [any TimerContender.Type] =
        [Loop.self] + LineUp.timers + LineUp.keepers

    private func works(
        _ metrics: Set<Metric>, _ body: @escaping @Sendable () throws -> BenchKit.Measurement
    ) async throws {
        // On a thread of its own: the cooperative pool has one a core, and the work blocks.
        let measurement = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
        #expect(measurement.checks > 0)
        #expect(metrics.isSubset(of: measurement.values.keys))
        #expect(metrics.allSatisfy { (measurement[$0] ?? -1) >= 0 && measurement[$0] != .infinity })
    }

    @Test func everyContenderArmsAndCancels() async throws {
        for contender in Self.timers {
            try await works([.cpu, .wall]) { try contender.pairs(outstanding: 50, turns: 1) }
            try await works([.cpu]) {
                try contender.churn(
                    outstanding: 50, warmUp: 1, turns: 1, picks: Picks(below: 50))
            }
            if contender.takesThreads {
                try await works([.cpu]) { try contender.pairsFromThreads(2, each: 500) }
            }
            try await works([.cpu]) {
                try contender.keepAlive(connections: 100, moves: 1_000, stride: 3)
            }
        }
    }

    @Test(arguments: [Rhythm.oneATurn, .inARow])
    func everyContenderDebouncesToOneFiring(_ rhythm: Rhythm) async throws {
        for contender in Self.timers {
            try await works([.cpu]) { try contender.pushBack(rhythm, calls: 1_000) }
        }
        try await works([.cpu]) { try Loop.replacing(rhythm, calls: 1_000) }
    }

    @Test func everyContenderRunsEveryPost() async throws {
        for contender in [Loop.self] + LineUp.posts {
            for capturing in [true, false] {
                try await works([.cpu]) {
                    try contender.posts(producers: 2, each: 1_000, capturing: capturing)
                }
            }
            try await works([.p50, .p99]) { try contender.roundTrips(200, besideBusyThread: false) }
        }
    }

    @Test(arguments: [1, 100]) func everySocketIsReadEachTime(count: Int) async throws {
        try await works([.cpu, .wall]) { try WatchedEvents.events(count, rounds: 10) }
    }

    @Test func everyContenderFiresEveryTimer() async throws {
        let offsets = (0..<500).map { $0 * 20_000 }
        for contender in Self.timers {
            for blocked in [true, false] {
                try await works([.cpu, .wall]) {
                    try contender.fire(offsets: offsets, leeway: 0, blocked: blocked)
                }
            }
            try await works([.p50, .early]) { try contender.lateness(10) }
        }
    }

    @Test func everyContenderTellsItsMemory() async throws {
        for contender in Self.timers {
            let elsewhere = contender.takesThreads ? [Timeouts.ofAnHour(elsewhere: true)] : []
            for timeouts in [.standing, .withHandles, .ofAnHour(elsewhere: false)] + elsewhere {
                try await works([.growth]) { try contender.memory(2_000, of: timeouts) }
            }
        }
        // So few of the others may fit into memory that was there before.
        try await works([.bytes]) { try TimerSources.memory(2_000, of: .standing) }
    }

    @Test(.enabled(if: Allocations.areCounted), arguments: CountedWork.contests("", .allocations))
    func everyOperationIsCounted(_ contest: Contest) async throws {
        for side in [contest.subject] + contest.rivals {
            try await works([.allocations]) {
                let measurement = try side.measure()
                #expect((measurement[.instructions] != nil) == Instructions.areCounted)
                return measurement
            }
        }
    }

    @Test func repeatingTimersTick() async throws {
        let shape = IntervalShape(count: 100, interval: 10_000_000, ticks: 10)
        var contenders: [any TickingContender.Type] = [Loop.self, TimerSources.self]
        #if NIO
        contenders.append(NIOLoop.self)
        #endif
        for contender in contenders {
            try await works([.ticks, .core]) { try contender.intervals(shape, leeway: 0) }
        }
    }

    @Test func theCoreAloneDoesTheSameWork() async throws {
        try await works([.cpu, .wall]) { try BareCore.pairs(outstanding: 50, turns: 1) }
        try await works([.cpu]) {
            try BareCore.churn(outstanding: 50, warmUp: 1, turns: 1, picks: Picks(below: 50))
        }
        try await works([.cpu, .wall]) {
            try BareCore.burst(offsets: (0..<500).map { $0 * 20_000 })
        }
        let shape = IntervalShape(count: 100, interval: 10_000_000, ticks: 10)
        try await works([.ticks, .core]) { try BareCore.intervals(shape, leeway: 0) }
        for capturing in [true, false] {
            try await works([.cpu]) {
                try BareCore.posts(producers: 2, each: 1_000, capturing: capturing)
            }
        }
    }

    @Test func aRivalIsEitherThereOrNamedAsMissing() {
        let there = Set(LineUp.timers.map { $0.name })
        for name in ["NIO", "OpenCombine", "BrightFutures"] {
            #expect(there.contains(name) != LineUp.missing.contains { $0.name == name })
        }
    }

    #if NIO
    @Test func eventLoopsOfNIOWork() async throws {
        try await works([.cpu]) { try NIOFutures.maps(10, chains: 100) }
        try await works([.cpu, .wall]) { try NIOIdle.touch(connections: 100, 1_000, 3) }
        try await works([.cpu]) { try NIOResident.hops(100) }
        try await works([.p50]) { try NIOFutures.waits(WaitSeries(.backToBack, 20), on: nil) }
        for count in [1, 100] {
            try await works([.cpu, .wall]) { try NIOEvents.events(count, rounds: 10) }
        }
    }
    #endif

    #if OpenCombine
    @Test func futuresOfOpenCombineWork() async throws {
        try await works([.cpu]) { try CombineFutures.maps(10, chains: 100) }
    }
    #endif
}
