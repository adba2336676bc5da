// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch

/// Firings of which a thousand are counted, from `begin()` on.
final class Batch: @unchecked Sendable {
    // `@unchecked` because only closures of one loop or serial queue use it, and other code
    // reads after `wait()`.
    let goal: Int
    let counting = Counting()
    private(set) var counted = 0
    private var hits = 0
    private var counts = false
    private let reached = DispatchSemaphore(value: 0)

    init(_ goal: Int) { self.goal = goal }

    func begin() {
        hits = 0
        counts = true
        counting.begin()
    }

    func hit() {
        hits += 1
        guard hits == goal else { return }
        if counts {
            counting.end()
            counted = hits
        }
        counts = false
        reached.signal()
    }

    func wait() { reached.wait() }
}
