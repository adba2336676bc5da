// SPDX-License-Identifier: Apache-2.0

/// How often the sides of contests and curves are measured.
package struct Rounds: Sendable, Equatable {
    /// Of a contest in which a time is measured.
    package let times: Int
    /// Of one in which things are counted, most of which come out alike each time.
    package let counts: Int
    /// Of each point of a curve: it has many, and few rounds of each tell its shape.
    package let curves: Int

    package init(_ times: Int, counts: Int? = nil, curves: Int = 3) {
        self.times = times
        self.counts = min(times, counts ?? times)
        self.curves = min(times, curves)
    }

    package func count(of contest: Contest) -> Int {
        (contest.takesTime ? times : counts) * contest.weight
    }
}
