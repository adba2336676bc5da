// SPDX-License-Identifier: Apache-2.0

/// The entries that one sweep of an ``IdleTracker`` has found expired, by their stamps.
///
/// They come in parts, each of which is sorted when it comes: no step takes as long as all.
struct IdleSweep {
    struct Found {
        let stamp: UInt64
        let index: Int
    }

    /// Each part lies in its order, the next last.
    private var parts: [[Found]] = []

    var isEmpty: Bool { parts.isEmpty }

    mutating func add(_ part: [Found]) {
        guard !part.isEmpty else { return }
        parts.append(part.sorted { ($0.stamp, $0.index) > ($1.stamp, $1.index) })
    }

    /// Takes the entry that was touched longest ago.
    mutating func next() -> Found? {
        guard let first = parts.indices.min(by: { isBefore($0, $1) }) else { return nil }
        let found = parts[first].removeLast()
        if parts[first].isEmpty { parts.remove(at: first) }
        return found
    }

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        let (a, b) = (parts[a][parts[a].count - 1], parts[b][parts[b].count - 1])
        return (a.stamp, a.index) < (b.stamp, b.index)
    }
}
