// SPDX-License-Identifier: Apache-2.0

/// The deadlines of a ``DeadlineQueue``, with the earliest first; equal ones in the order in which
/// they were set. A heap of four children per parent.
struct DeadlineHeap {
    struct Item {
        let deadline: UInt64
        let number: UInt64
        let slot: Int

        static func < (a: Item, b: Item) -> Bool { (a.deadline, a.number) < (b.deadline, b.number) }
    }

    private var items: [Item] = []
    /// The index of each slot's item.
    private var positions: [Int32] = []

    var first: Item? { items.first }
    var count: Int { items.count }

    /// Adds the item of this slot, or replaces it.
    mutating func set(_ item: Item) {
        while positions.count <= item.slot { positions.append(-1) }
        if positions[item.slot] < 0 {
            positions[item.slot] = Int32(items.count)
            items.append(item)
        }
        sift(item, from: Int(positions[item.slot]))
    }

    mutating func remove(slot: Int) {
        let position = Int(positions[slot])
        positions[slot] = -1
        let last = items.removeLast()
        // It fills the gap, which may be in another branch.
        if last.slot != slot { sift(last, from: position) }
    }

    /// Moves an item from a free position to where its deadline belongs.
    private mutating func sift(_ item: Item, from start: Int) {
        var position = start
        while position > 0, item < items[(position - 1) / 4] {
            put(items[(position - 1) / 4], at: position)
            position = (position - 1) / 4
        }
        while let child = leastChild(of: position), items[child] < item {
            put(items[child], at: position)
            position = child
        }
        put(item, at: position)
    }

    private func leastChild(of position: Int) -> Int? {
        let children = min(4 * position + 1, items.count)..<min(4 * position + 5, items.count)
        return children.min { items[$0] < items[$1] }
    }

    private mutating func put(_ item: Item, at position: Int) {
        items[position] = item
        positions[item.slot] = Int32(position)
    }
}
