// SPDX-License-Identifier: Apache-2.0

/// A queue of closures, in a ring that grows.
package struct WorkQueue {
    private var ring: [(@Sendable () -> Void)?] = Array(repeating: nil, count: 16)
    private var head = 0
    package private(set) var count = 0

    /// An empty queue.
    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ work: @escaping @Sendable () -> Void) {
        if count == ring.count {
            ring = Array(ring[head...] + ring[..<head]) + Array(repeating: nil, count: ring.count)
            head = 0
        }
        ring[(head + count) & (ring.count - 1)] = work
        count += 1
    }

    package mutating func popFirst() -> (@Sendable () -> Void)? {
        guard count > 0 else { return nil }
        let work = ring[head].take()
        head = (head + 1) & (ring.count - 1)
        count -= 1
        return work
    }
}
