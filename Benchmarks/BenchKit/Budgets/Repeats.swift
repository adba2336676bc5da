// SPDX-License-Identifier: Apache-2.0

/// The rows that `check` has measured again: they missed a budget, or their contest failed.
package struct Repeats: Sendable {
    private var keys: [String] = []
    private var counts: [String: Int] = [:]

    package init() {}

    /// Notes rows that are measured once more.
    package mutating func note(_ keys: some Sequence<String>) {
        for key in keys {
            if counts[key] == nil { self.keys.append(key) }
            counts[key, default: 0] += 1
        }
    }

    /// A line for those that read the verdict: which of the figures are of another try.
    package var text: String {
        guard !keys.isEmpty else { return "No row was measured again." }
        let rows = keys.map { "  \($0): \(counts[$0] == 1 ? "once" : "\(counts[$0] ?? 0) times")" }
        let what = keys.count == 1 ? "1 row was" : "\(keys.count) rows were"
        return (["\(what) measured again, and the last figures count:"] + rows)
            .joined(separator: "\n")
    }
}
