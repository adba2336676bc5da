// SPDX-License-Identifier: Apache-2.0
internal import CSwivelSimulation
internal import Glibc

/// The seeds of a search, and how one is repeated in another process.
enum Replay {
    /// The variables that repeat a run: its seed, and those of Swift's hashing.
    static func line(_ seed: UInt64) -> String {
        var hash: [UInt64] = [0, 0]
        swivel_sim_hash_seeds(&hash)
        let words = hash.map { String($0, radix: 16) }.joined(separator: ",")
        return "SWIVEL_SEED=\(seed) SWIVEL_HASH=\(words)"
    }

    /// How the run of a seed is repeated.
    static func hint(_ seed: UInt64, test: String?) -> String {
        let filter = test.map { " swift test --filter '\($0)'" } ?? ""
        return "seed \(seed), repeat: \(line(seed))\(filter)"
    }

    /// The seeds to run: the one that is repeated, or as many as the environment or `count` says.
    static func seeds(_ count: Int) -> Range<UInt64> {
        if let one = value(of: "SWIVEL_SEED") { return one..<one + 1 }
        return 0..<(value(of: "SWIVEL_SEEDS") ?? UInt64(max(0, count)))
    }

    private static func value(of variable: String) -> UInt64? {
        getenv(variable).flatMap { UInt64(String(cString: $0)) }
    }
}
