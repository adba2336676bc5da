// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Testing

/// Each rival does the work that it is measured for: the counts are asserted inside, so that a
/// measurement that comes back at all was right.
@Suite(.serialized)
struct RivalsTests {
    private func works(
        _ metrics: Set<Metric>, _ body: @escaping @Sendable () throws -> Measurement
    ) async throws {
        let measurement = try await onOwnThread(body)
        #expect(measurement.checks > 0)
        #expect(metrics.isSubset(of: measurement.values.keys))
        #expect(measurement.values.values.allSatisfy { $0.isFinite && $0 >= 0 })
    }

    @Test func taskSleepsAreAllCancelled() async throws {
        try await works([.p50, .early]) { try TaskSleeps.lateness(count: 10, outstanding: 5) }
        try await works([.growth]) { try TaskSleeps.cancelledTimeouts(1_000) }
    }

    /// Nobody wakes within a quarter of a microsecond: the timers tick on meanwhile.
    @Test func intervalsWhoseEndComesLateAreNoResult() throws {
        let shape = IntervalShape(count: 1, interval: 1_000, ticks: 1)
        var attempts = 0
        #expect(throws: BenchFailure.self) {
            _ = try shape.measure(lead: 20_000_000) {
                attempts += 1
                return IntervalShape.Steps(arm: { _, _ in }, close: {})
            }
        }
        #expect(attempts == 5)
    }

    @Test func rawLibuvArmsAndCancels() async throws {
        try await works([.wall]) { try RawUV.pairs(outstanding: 50, operations: 5_000) }
        try await works([.wall]) {
            try RawUV.churn(
                outstanding: 50, warmUp: 100, operations: 5_000, picks: Picks(below: 50))
        }
        try await works([.wall]) { try RawUV.debounce(outstanding: 50, operations: 5_000) }
    }

    @Test func rawLibuvFiresEveryTimer() async throws {
        try await works([.wall]) {
            try RawUV.burst(1_000, delays: .near, range: 100_000_000)
        }
        try await works([.cpu]) { try RawUV.spread(1_000, range: 50_000_000) }
        try await works([.p50, .early]) { try RawUV.lateness(count: 10, outstanding: 5) }
        let shape = IntervalShape(count: 100, interval: 10_000_000, ticks: 10)
        try await works([.ticks, .core]) { try RawUV.intervals(shape) }
    }

    @Test func rawLibuvRunsEveryPost() async throws {
        for capturing in [true, false] {
            try await works([.cpu]) {
                try RawUV.posts(producers: 2, each: 1_000, capturing: capturing)
            }
        }
        try await works([.p50]) { try RawUV.roundTrips(200) }
        try await works([.bytes]) { try RawUV.standing(2_000) }
    }

    @Test(arguments: [1, 100], [true, false])
    func everySocketIsReadEachTime(count: Int, epoll: Bool) async throws {
        try await works([.cpu, .wall]) { try RawUV.events(count, rounds: 10, epoll: epoll) }
    }

    @Test(arguments: WaitSeries.Setting.allCases)
    func threadsAndTasksWaitForEveryValue(_ setting: WaitSeries.Setting) async throws {
        let series = WaitSeries(setting, 20)
        let metrics = Set(series.metrics)
        let queue = DispatchQueue(label: "waiter")
        try await works(metrics) {
            try DispatchWaits.handOver(
                series, to: .global(), from: Turns { queue.async(execute: $0) })
        }
        try await works(metrics) { try BareThreads.handOver(series, looking: false) }
        try await works(metrics) { try TaskWaits.spawn(series) }
        try await works(metrics) { try TaskWaits.progress(series) }
    }

    @Test func manyValuesAreGathered() async throws {
        let series = WaitSeries(.backToBack, 5)
        try await works([.cpu]) { try DispatchWaits.gather(100, series) }
        try await works([.cpu]) { try TaskWaits.gather(100, series) }
        try await works([.allocations]) { try DispatchWaits.allocations() }
    }

    @Test func aThreadThatLooksHasEndedWithItsSeries() async throws {
        let cpu = try await onOwnThread {
            try BareThreads.handOver(WaitSeries(.backToBack, 5), looking: true)[.cpu]
        }
        // Five seconds is how long the measurement waits for threads to end.
        #expect(try #require(cpu) * 5 < 4_000_000_000)
    }

    @Test func actorsAreCalled() async throws {
        try await works([.cpu]) { try DefaultExecutor.calls(100) }
        try await works([.cpu]) { try QueueExecutor.calls(100) }
    }

    @Test func dispatchStandsForEveryDispatchRival() {
        #expect(RivalName.names(for: "dispatch").count == 5)
        #expect(RivalName.names(for: "LIBUV") == [RivalName.libuv])
        #expect(RivalName.names(for: "nobody").isEmpty)
    }
}
