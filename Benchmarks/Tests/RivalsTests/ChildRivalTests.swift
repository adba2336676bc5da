// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import Rivals

/// The children that are built here do the work that they are measured for. On a machine without
/// their compilers, only the way in which they are missing is tested.
@Suite(.serialized)
struct ChildRivalTests {
    private func works(
        _ metrics: Set<Metric>, except left: [ChildRival] = [],
        _ body: (ChildRival) throws -> BenchKit.Measurement
    ) throws {
        let names = left.map(\.name)
        for rival in ChildRival.present where !names.contains(rival.name) {
            let measurement = try body(rival)
            #expect(measurement.checks >= 3, "\(rival.name)")
            #expect(metrics.isSubset(of: measurement.values.keys), "\(rival.name)")
            #expect(measurement.values.values.allSatisfy { $0.isFinite && $0 >= 0 })
        }
    }

    @Test func everyChildArmsAndCancels() throws {
        defer { ChildRival.endAll() }
        try works([.cpu, .wall]) { try $0.pairs(outstanding: 50, operations: 5_500) }
        try works([.cpu]) { try $0.pairs(outstanding: 0, operations: 1) }
        try works([.cpu]) { try $0.churn(outstanding: 50, warmUp: 100, operations: 5_000) }
        try works([.cpu]) { try $0.debounce(outstanding: 50, operations: 5_000) }
        try works([.cpu], except: [.libev]) { try $0.pairsFromThreads(2, each: 500) }
    }

    @Test func everyChildFiresEveryTimer() throws {
        defer { ChildRival.endAll() }
        for range in [0, 20_000_000] {
            try works([.cpu, .wall]) { try $0.burst(1_000, range: range) }
        }
        try works([.cpu]) { try $0.spread(1_000, range: 50_000_000) }
        try works([.p50, .early]) { try $0.lateness(count: 10, outstanding: 5) }
    }

    @Test func everyChildRunsEveryPost() throws {
        defer { ChildRival.endAll() }
        for (producers, capturing) in [(1, true), (1, false), (2, true), (2, false), (64, true)] {
            try works([.cpu, .wall]) {
                try $0.posts(producers: producers, each: 1_000, capturing: capturing)
            }
        }
        try works([.p50, .p99, .sleeps]) { try $0.roundTrips(200) }
    }

    @Test func noChildUsesCPUBetweenSamples() throws {
        for rival in ChildRival.present {
            let before = Clocks.endedChildrenCPU()
            _ = try rival.pairs(outstanding: 1_000, operations: 1_000)
            ChildRival.endAll()
            let short = Clocks.endedChildrenCPU() - before
            _ = try rival.pairs(outstanding: 1_000, operations: 1_000)
            Clocks.pause(1_500_000_000)
            ChildRival.endAll()
            let long = Clocks.endedChildrenCPU() - before - short
            // A fifteenth of what a loop that spins while it is idle would use.
            #expect(long < short + 100_000_000, "\(rival.name)")
        }
    }

    /// A single operation costs some five microseconds, and with the wait for an idle process 25 and
    /// more. A machine that runs something else gives one of many at its price.
    @Test func theWaitForAnIdleProcessIsNotCharged() throws {
        defer { ChildRival.endAll() }
        for rival in ChildRival.present {
            let isFree = try (0..<200).contains { _ in
                try rival.pairs(outstanding: 0, operations: 1)[.cpu] ?? .infinity < 15_000
            }
            #expect(isFree, "\(rival.name)")
        }
    }

    @Test func aChildRefusesWhatItDoesNotKnow() throws {
        defer { ChildRival.endAll() }
        for rival in ChildRival.present {
            let child = Child(built: rival.name.lowercased())
            defer { child.end() }
            for request in [
                "nonsense", "pairs", "pairs outstanding=x operations=1 core=0", "burst count=0",
                "pairs outstanding=1 operations=1",
            ] {
                #expect(throws: BenchFailure.self) { try child.ask(request) }
                #expect(child.processID != nil, "\(rival.name) ended at \(request)")
            }
        }
    }

    @Test func aChildIsEitherThereOrNamedAsMissing() {
        let names = ChildRival.present.map(\.name) + ChildRival.missing.map(\.name)
        #expect(Set(names) == [RivalName.libev, RivalName.libevent, RivalName.go, RivalName.tokio])
        #expect(names.count == 4)
        #expect(ChildRival.missing.allSatisfy { $0.remedy.contains("build-children") })
        let gone = ChildRival("gone", Child(program: "/nowhere/gone"), needs: "nothing")
        #expect(throws: BenchFailure.self) { try gone.roundTrips(1) }
    }
}
