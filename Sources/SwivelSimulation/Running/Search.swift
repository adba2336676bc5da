// SPDX-License-Identifier: Apache-2.0

/// Runs of one body.
struct Search: Sendable {
    private let settings: Settings
    /// The test's name, to repeat a run of it; `nil`: there is none.
    private let test: String?
    private let body: @Sendable () async throws -> Void

    init(
        _ settings: Settings, test: String?, _ body: @escaping @Sendable () async throws -> Void
    ) {
        self.settings = settings
        self.test = test
        self.body = body
    }

    /// Runs seeds until one fails, or the task is cancelled.
    func run(_ seeds: Range<UInt64>) async throws -> Exploration {
        var exploration = Exploration()
        for seed in seeds {
            // Not `checkCancellation()`, at which the optimizer of Swift 6.3 crashes here.
            if Task.isCancelled { throw CancellationError() }
            let run: SimulatedRun = try await run(seed)
            exploration.add(run)
        }
        return exploration
    }

    #if compiler(>=6.3) && compiler(<6.4) && os(Linux)
    /// Runs one seed; twice, if runs are verified.
    func run(_ seed: UInt64) async throws(SimulationFailure) -> SimulatedRun {
        let hint = Replay.hint(seed, test: test)
        let first = try await Simulation.run(seed: seed, settings, hint, body)
        if let failure = failure(of: first) { throw failure }
        if settings.isVerified {
            let second = try await Simulation.run(seed: seed, settings, hint, body).run
            if second.trace != first.run.trace {
                let why = first.run.escapes.first ?? "an address, a file or a real clock, perhaps"
                throw failed(.diverged, second, "the seed gave two traces: \(why)")
            }
        }
        return first.run
    }

    private func failure(of result: Simulation.Result) -> SimulationFailure? {
        switch result.run.end {
        case .finished:
            guard let error = result.error else { return nil }
            if result.hasCancelled, error is CancellationError { return nil }
            return failed(.thrown, result.run, "\(error)", error)
        case .deadlock:
            return failed(.deadlock, result.run, "nothing can go on, and no timer is armed")
        case .endless:
            return failed(
                .endless, result.run, "work at one instant has no end: a loop that never sleeps")
        default:
            return failed(.outOfSteps, result.run, "\(result.run.steps) steps were not enough")
        }
    }

    private func failed(
        _ reason: SimulationFailure.Reason, _ run: SimulatedRun, _ words: String,
        _ error: (any Error)? = nil
    ) -> SimulationFailure {
        let parts = [
            "\(words) (\(run))", Replay.hint(run.seed, test: test),
            run.pending.map { "  \($0)" }.joined(separator: "\n"),
            run.escapes.prefix(5).map { "  outside: \($0)" }.joined(separator: "\n"), run.details,
        ]
        return SimulationFailure(
            reason: reason, run: run, error: error,
            description: parts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    #else
    func run(_ seed: UInt64) async throws(SimulationFailure) -> SimulatedRun {
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
