// SPDX-License-Identifier: Apache-2.0

extension RoundRunner.Outcome {
    /// Those of the contests that ended with an error, on whichever side, and may be run once more.
    /// A Swivel that has lost a timer is not given another chance.
    package func failed(of contests: [Contest]) -> [Contest] {
        contests.filter { contest in
            !miscounted.contains(contest.name) && failures.contains { contest.isNamed(by: $0) }
        }
    }

    /// Takes over from another outcome the rows that these contests made there. A contest that has
    /// all its rows then has not failed, because no side has failed twice.
    package mutating func replace(_ contests: [Contest], with other: Self) {
        let keys = Set(contests.flatMap(\.rowKeys)).intersection(other.rows.map(\.key))
        rows.removeAll { keys.contains($0.key) }
        asserted.removeAll { keys.contains($0) }
        rows += other.rows.filter { keys.contains($0.key) }
        asserted += other.asserted.filter { keys.contains($0) }
        for key in keys { reasons[key] = other.reasons[key] }
        let present = Set(rows.map(\.key))
        for contest in contests {
            failures.removeAll { contest.isNamed(by: $0) }
            if !present.isSuperset(of: contest.rowKeys) {
                failures += other.failures.filter { contest.isNamed(by: $0) }
            }
        }
    }
}

extension Contest {
    /// Whether the runner's words for a failure are about this contest.
    fileprivate func isNamed(by failure: String) -> Bool {
        failure.hasPrefix("\(name): ")
    }
}
