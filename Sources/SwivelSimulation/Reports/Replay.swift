// SPDX-License-Identifier: Apache-2.0
internal import CSwivelSimulation
internal import SwivelCore

/// The seeds of a search, and how one is repeated in another process.
enum Replay {
    /// The variables that repeat a run: its seed, and those of Swift's hashing.
    static func line(_ seed: UInt64) -> String {
        #if os(Linux)
        let (one, other) = swivel_sim_hashes().pointee.seeds
        let words = "\(String(one, radix: 16)),\(String(other, radix: 16))"
        return "SWIVEL_SEED=\(seed) SWIVEL_HASH=\(words)"
        #else
        return "SWIVEL_SEED=\(seed)"
        #endif
    }

    /// How the run of a seed is repeated.
    static func hint(_ seed: UInt64, test: String?) -> String {
        // The filter is a regular expression.
        let name = test.map {
            $0.map { "()[]{}.*+?^$|\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        let filter = name.map { " swift test --filter '\($0)'" } ?? ""
        return "seed \(seed), repeat: \(line(seed))\(filter)"
    }

    /// The seed that is repeated; `nil`: this is a search.
    static var seed: UInt64? { value(of: "SWIVEL_SEED") }

    /// The seeds to run: a single one that is repeated, or as many as the environment or `count`
    /// says.
    static func seeds(_ count: Int) -> Range<UInt64> {
        if let seed { return seed..<max(seed &+ 1, seed) }
        return 0..<(value(of: "SWIVEL_SEEDS") ?? UInt64(max(0, count)))
    }

    private static func value(of variable: String) -> UInt64? {
        guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
        if let number = UInt64(text) { return number }
        Diagnostics.warn("\(variable) is '\(text)', which is no number: it has no effect")
        return nil
    }
}
