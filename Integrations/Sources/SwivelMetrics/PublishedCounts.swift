// SPDX-License-Identifier: Apache-2.0
#if Metrics
/// The values of counters that were published so far.
struct PublishedCounts {
    private var counts: [Int] = []

    /// Returns by how much each count has risen, and keeps the higher one: of two reports at the
    /// same time, the first to read the counts may be the last to come here.
    mutating func advance(to present: [Int]) -> [Int] {
        if counts.isEmpty { counts = present.map { _ in 0 } }
        return zip(present, counts.indices).map { count, index in
            let increment = max(0, count - counts[index])
            counts[index] += increment
            return increment
        }
    }
}
#endif
