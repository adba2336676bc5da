// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Runs of a body.
final class Search: Sendable {
    typealias Body = @Sendable () async throws -> Void

    /// Runs take turns, so that what waits for the main actor waits for one run.
    private static let turn = ConcurrencyLimit(1)

    let settings: Settings
    /// The test's name, to repeat a run of it; `nil`: there is none.
    private let test: String?

    init(_ options: [SimulationOption], test: String? = nil) {
        settings = Settings(options)
        self.test = test
    }

    /// Runs as many seeds until one fails, `isLast` says so, or the task is cancelled.
    func run(
        seeds: Int, _ body: @escaping Body, until isLast: (SimulatedRun) -> Bool = { _ in false }
    ) async throws -> Exploration {
        var exploration = Exploration()
        for seed in Replay.seeds(seeds) {
            let run: SimulatedRun = try await run(seed, body)
            exploration.add(run)
            if isLast(run) { break }
        }
        return exploration
    }

    /// How the run of a seed is repeated.
    func hint(_ seed: UInt64) -> String { Replay.hint(seed, test: test) }

    /// Runs one seed; twice, if runs are verified.
    func run(_ seed: UInt64, _ body: @escaping Body) async throws -> SimulatedRun {
        if World.isCurrent {
            throw SimulationFailure.unsupported("this is a simulation already")
        }
        return try await Self.turn.run { try await runInTurn(seed, body) }
    }

    #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
    private func runInTurn(
        _ seed: UInt64, _ body: @escaping Body
    ) async throws(SimulationFailure) -> SimulatedRun {
        let run = try await runOnce(seed, body)
        if run.end != .finished { throw failure(run.end, run, run.end.meaning) }
        if let error = run.error { throw failure(.thrown, run, "\(error)") }
        if settings.isVerified {
            let second = try await runOnce(seed, body)
            if second.trace != run.trace {
                let why = run.escapes.first ?? "an address, a file or a real clock, perhaps"
                throw failure(.diverged, second, "the seed gave two traces: \(why)")
            }
        }
        return run
    }

    private func runOnce(
        _ seed: UInt64, _ body: @escaping Body
    ) async throws(SimulationFailure) -> SimulatedRun {
        if let refusal = SelfTest.refusal { throw refusal }
        return await runOnMain(seed, body)
    }

    /// The run is one synchronous stay on the main actor: what other tests have there waits for it,
    /// and their isolation stays true. Other runs wait for it too.
    @MainActor private func runOnMain(_ seed: UInt64, _ body: @escaping Body) -> SimulatedRun {
        let simulator = Simulator(seed: seed, self)
        return simulator.inWorld {
            // It inherits the test's task-local values, so that expectations find their test.
            _ = Task(executorPreference: simulator.executor) { @concurrent in
                do { try await body() } catch { simulator.thrown = error }
                simulator.isFinished = true
            }
            let end = simulator.run()
            defer { simulator.end() }
            return simulator.report(end)
        }
    }

    private func failure(
        _ reason: SimulationFailure.Reason, _ run: SimulatedRun, _ words: String
    ) -> SimulationFailure {
        let lines =
            ["\(words) (\(run))", hint(run.seed)] + run.pending.map { "  \($0)" }
            + run.escapes.prefix(5).map { "  outside: \($0)" } + [run.details]
        return SimulationFailure(
            reason: reason, run: run, error: reason == .thrown ? run.error : nil,
            description: lines.joined(separator: "\n"))
    }
    #else
    private func runInTurn(
        _ seed: UInt64, _ body: @escaping Body
    ) async throws(SimulationFailure) -> SimulatedRun {
        throw .unsupported("it needs Linux and Swift 6.3")
    }
    #endif
}

extension SimulationFailure {
    static func unsupported(_ why: String) -> SimulationFailure {
        SimulationFailure(
            reason: .unsupported, run: nil, error: nil,
            description: "simulations do not work here: \(why)")
    }
}
