// SPDX-License-Identifier: Apache-2.0

/// The entries that one sweep of an ``IdleTracker`` has found expired, by their stamps.
///
/// They come in parts, each of which is sorted when it comes: no step takes as long as all.
struct IdleSweep {
    struct Found: Comparable {
        let stamp: UInt64
        let index: Int

        static func < (a: Found, b: Found) -> Bool { (a.stamp, a.index) < (b.stamp, b.index) }
    }

    /// Each part lies in its order, the next last.
    private var parts: [[Found]] = []

    var isEmpty: Bool { parts.isEmpty }

    mutating func add(_ part: [Found]) {
        if !part.isEmpty { parts.append(part.sorted(by: >)) }
    }

    /// Takes the entry that was touched longest ago.
    mutating func next() -> Found? {
        let first = parts.indices.min { a, b in
            parts[a][parts[a].count - 1] < parts[b][parts[b].count - 1]
        }
        guard let first else { return nil }
        let found = parts[first].removeLast()
        if parts[first].isEmpty { parts.remove(at: first) }
        return found
    }
}
