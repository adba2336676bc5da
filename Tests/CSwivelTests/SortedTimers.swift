// SPDX-License-Identifier: Apache-2.0

/// The dumbest possible store of timers: a list, sorted by (deadline, start order).
struct SortedTimers<ID: Equatable> {
    struct Timer {
        let deadline: UInt64
        let sequence: UInt64
        let id: ID
    }

    private(set) var timers: ContiguousArray<Timer> = []
    private var nextSequence: UInt64 = 0

    var count: Int { timers.count }
    var earliest: UInt64 { timers.first?.deadline ?? .max }

    mutating func arm(_ id: ID, _ deadline: UInt64) {
        let timer = Timer(deadline: deadline, sequence: nextSequence, id: id)
        nextSequence += 1
        // The youngest of its deadline: behind all that are not later.
        var low = 0
        var high = timers.count
        while low < high {
            let middle = (low + high) / 2
            if timers[middle].deadline <= deadline {
                low = middle + 1
            } else {
                high = middle
            }
        }
        timers.insert(timer, at: low)
    }

    /// Removes the timer at this place of the list.
    mutating func remove(at place: Int) -> Timer { timers.remove(at: place) }

    /// Removes the timer. False: it is not here.
    @discardableResult
    mutating func cancel(_ id: ID) -> Bool {
        guard let place = timers.firstIndex(where: { $0.id == id }) else { return false }
        timers.remove(at: place)
        return true
    }

    /// Removes the first timer if it is due.
    mutating func fire(dueBy now: UInt64) -> ID? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        return timers.removeFirst().id
    }
}
