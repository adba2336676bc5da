// SPDX-License-Identifier: Apache-2.0
internal import BenchKit

// The work of the scenarios, as requirements: each has one implementation, in the file of its
// scenario, and the compiler makes a copy of it for each contender. Behind `any`, without these,
// all contenders would share one copy that knows none of their types, at several times the cost.

/// Work for everything that runs closures.
protocol PostWork: Sendable {
    static func flood(producers: Int, each: Int) throws -> Measurement
    static func batches(of batch: Int, _ count: Int) throws -> Measurement
    static func roundTrips(_ trips: Int, _ placement: Cores.Placement?) throws -> Measurement
}

/// Work for timers.
protocol TimerWork: Sendable {
    static func pairs(outstanding: Int, turns: Int) throws -> Measurement
    static func churn(
        outstanding: Int, warmUp: Int, turns: Int, picks: Picks
    ) throws -> Measurement
    static func pairsFromThreads(_ producers: Int, each: Int, delay: Int) throws -> Measurement
    static func fire(offsets: [Int], leeway: Int, blocked: Bool) throws -> Measurement
    static func lateness(_ count: Int) throws -> Measurement
    static func pushBack(calls: Int) throws -> Measurement
    static func keepAlive(connections: Int, moves: Int, stride: Int) throws -> Measurement
    static func memory(_ count: Int, of timeouts: Timeouts) throws -> Measurement
    static func counts(_ operation: Counted) throws -> Measurement
}

/// Work for repeating timers.
protocol IntervalWork: Sendable {
    static func intervals(_ shape: IntervalShape, leeway: Int) throws -> Measurement
    static func countsOfATick() throws -> Measurement
}

/// Work for operations with ids.
protocol ReplacingWork: Sendable {
    static func replacing(calls: Int) throws -> Measurement
    static func countsOfReplacing() throws -> Measurement
}
