// SPDX-License-Identifier: Apache-2.0

/// Runs `body` in a world of its own, in which `seed` decides every order: that of its tasks, of
/// their hops to and from actors, and of Swivel's closures and timers. Time is virtual.
///
/// ```swift
/// try await simulate(seed: 7) {
///     let store = Store()
///     async let first: Void = store.save("a")
///     async let second: Void = store.save("b")
///     _ = try await (first, second)
/// }
/// ```
///
/// The world has every task that the body makes, directly or not, with `Task { }` and
/// `Task.detached` too, their actors and the main actor, and Swivel's loops, pools and queues.
/// `ContinuousClock`, `SuspendingClock`, `LoopClock`, `Date` and `DispatchTime` show its time, and
/// `SystemRandomNumberGenerator` gives its numbers. Equal seeds give equal runs. Threads of your own,
/// Dispatch's queues and timers, files and sockets are outside: see the article.
///
/// Runs of a process take turns, each on the main actor. All other code runs as before.
///
/// **Thread:** any task.
/// - Parameters:
///   - seed: Decides the run.
///   - options: A strategy, faults and limits.
///   - body: The program, which ends the run when it returns.
/// - Returns: A report of the run.
/// - Throws: An error of the body, or ``SimulationFailure``.
/// - Complexity: That of the body; about two microseconds for each step in a debug build.
@preconcurrency
@discardableResult
public func simulate(
    seed: UInt64, _ options: SimulationOption...,
    body: @escaping @Sendable () async throws -> Void
) async throws -> SimulatedRun {
    let search = Search(options)
    do {
        return try await search.run(seed, body)
    } catch let failure as SimulationFailure {
        throw failure.error ?? failure
    }
}

/// Runs `body` once for each seed from 0 on, each in a world of its own; see
/// ``simulate(seed:_:body:)``. The first run that throws ends the search. In a test an expectation
/// that fails does not end it: use the trait, or throw.
///
/// The environment variable `SWIVEL_SEEDS` replaces the number of `seeds`, and `SWIVEL_SEED`, with
/// `SWIVEL_HASH`, repeats a single one in another process: the failure's description has that line.
///
/// **Thread:** any task.
/// - Parameters:
///   - seeds: The number of runs.
///   - options: A strategy, faults and limits.
///   - body: The program, which ends each run when it returns.
/// - Returns: How many runs there were, and how many of them were different.
/// - Throws: ``SimulationFailure``, with the run and the error that the body has thrown.
/// - Complexity: That of the bodies.
@preconcurrency
@discardableResult
public func simulate(
    seeds: Int, _ options: SimulationOption...,
    body: @escaping @Sendable () async throws -> Void
) async throws -> Exploration {
    try await Search(options).run(seeds: seeds, body)
}

/// The extent of a search through many seeds.
public struct Exploration: Sendable, CustomStringConvertible {
    /// Runs.
    public private(set) var runs = 0
    /// Their steps.
    public private(set) var steps = 0
    /// Different runs. Once seeds hardly add to them, more seeds hardly help.
    public var distinctTraces: Int { traces.count }
    private var traces: Set<UInt64> = []

    mutating func add(_ run: SimulatedRun) {
        runs += 1
        steps += run.steps
        traces.insert(run.trace)
    }

    /// Such as `1000 runs, 873 of them different, 48000 steps`.
    public var description: String {
        "\(runs) runs, \(distinctTraces) of them different, \(steps) steps"
    }
}
