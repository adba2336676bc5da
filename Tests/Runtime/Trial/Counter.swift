// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A counter that tasks wait for.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add() { count.add(1, ordering: .acquiringAndReleasing) }

    /// Returns some milliseconds after the count has been reached: what each task does right behind
    /// its `add()` is then done, but for a few at most.
    func reaches(_ total: Int) async {
        while value < total { try? await Task.sleep(for: .milliseconds(1)) }
        try? await Task.sleep(for: .milliseconds(20))
    }
}
