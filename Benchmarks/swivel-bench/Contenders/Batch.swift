// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch

/// Firings of which a thousand are counted, from `begin()` on.
final class Batch: @unchecked Sendable {
    // `@unchecked` because only closures of one loop or serial queue use it, and everybody else
    // reads after `wait()`.
    let goal: Int
    private(set) var allocations = 0
    private(set) var counted = 0
    private var hits = 0
    private var mark: AllocationMark?
    private let reached = DispatchSemaphore(value: 0)

    init(_ goal: Int) { self.goal = goal }

    func begin() {
        hits = 0
        mark = AllocationMark()
    }

    func hit() {
        hits += 1
        guard hits == goal else { return }
        if let mark {
            allocations = mark.end()
            counted = hits
        }
        mark = nil
        reached.signal()
    }

    func wait() { reached.wait() }
}
