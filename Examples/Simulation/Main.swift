// SPDX-License-Identifier: Apache-2.0

internal import SwivelSimulation
internal import Trials

/// Searches for planted bugs by simulation, repeats what it has found, and tries the corrected
/// programs; see the README.
@main
enum Main {
    static func main() async throws {
        let options = Options()
        let seeds = options["seeds", default: 100_000]
        let parts = options.words.isEmpty ? ["lease", "store", "algorithms"] : options.words
        for part in parts {
            switch part {
            case "lease":
                try await hunt("lease", seeds) { try await Lease(isCorrected: $0).run() }
                try await Lease.overSockets()
            case "store": try await hunt("store", seeds) { try await Store.run(isCorrected: $0) }
            case "algorithms": try await Algorithms.run(seeds: max(1, seeds / 100))
            default: fail("there is no part called \(part)")
            }
        }
    }

    /// Looks for the bug in up to a thousand runs, repeats the run that has it, and runs the
    /// corrected program with as many seeds as asked.
    private static func hunt(
        _ name: String, _ seeds: Int,
        _ program: @escaping @Sendable (_ isCorrected: Bool) async throws -> Void
    ) async throws {
        do {
            try await simulate(seeds: 1_000) { try await program(false) }
            fail("\(name): the bug was not found in 1,000 runs")
        } catch let failure as SimulationFailure {
            guard failure.reason == .thrown, let seed = failure.run?.seed else { throw failure }
            say("\(name): found by seed \(seed)\n\(failure)")
            do {
                try await simulate(seed: seed) { try await program(false) }
                fail("\(name): the seed does not repeat it")
            } catch let error as Broken {
                say("\(name): repeated, \(error)")
            }
        }
        let exploration = try await simulate(seeds: seeds) { try await program(true) }
        say("\(name), corrected: \(exploration); none fails\n")
    }
}

/// The error of a program that has broken its promise.
struct Broken: Error, CustomStringConvertible {
    let description: String
}
