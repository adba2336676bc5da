// SPDX-License-Identifier: Apache-2.0

/// Mann and Whitney's test (On a Test of Whether One of Two Random Variables Is Stochastically
/// Larger than the Other, 1947), exact. A value far off changes little.
package enum RankSum {
    /// The chance that two sets of values from one and the same source differ at least so much, to
    /// either side. Equal values count for no difference.
    package static func chance(_ first: [Double], _ second: [Double]) -> Double {
        let wins = second.reduce(0.0) { sum, later in
            sum + first.reduce(0.0) { $0 + (later > $1 ? 1 : later == $1 ? 0.5 : 0) }
        }
        let pairs = Double(first.count * second.count)
        let rarer = Int(min(wins, pairs - wins).rounded(.up))
        let counts = arrangements(first.count, second.count, upTo: rarer)
        return min(1, 2 * counts.reduce(0, +) / all(first.count, second.count))
    }

    /// For each number of wins, up to `most`, how many orders of the values have it: the
    /// coefficients of Gauss's polynomial, the product of (1 - q^(m + k)) / (1 - q^k).
    private static func arrangements(_ m: Int, _ n: Int, upTo most: Int) -> [Double] {
        var counts = [1] + [Double](repeating: 0, count: most)
        for k in 1...max(1, n) {
            for wins in stride(from: most, through: m + k, by: -1) {
                counts[wins] -= counts[wins - m - k]
            }
            for wins in stride(from: k, through: most, by: 1) {
                counts[wins] += counts[wins - k]
            }
        }
        return counts
    }

    /// How many orders there are.
    private static func all(_ m: Int, _ n: Int) -> Double {
        (0..<n).reduce(1) { $0 * Double(m + n - $1) / Double($1 + 1) }
    }
}
