// SPDX-License-Identifier: Apache-2.0

/// The deadlines of a ``DeadlineQueue``, with the earliest first; equal ones in the order in which
/// they were set. A heap of four children a parent, as the core's due queue.
struct DeadlineHeap {
    struct Item {
        let deadline: UInt64
        let number: UInt64
        let slot: Int

        static func < (a: Item, b: Item) -> Bool {
            (a.deadline, a.number) < (b.deadline, b.number)
        }
    }

    private var items: [Item] = []
    /// Where each slot's item is.
    private var positions: [Int32] = []

    var first: Item? { items.first }
    var count: Int { items.count }

    mutating func insert(_ item: Item) {
        while positions.count <= item.slot { positions.append(-1) }
        items.append(item)
        rise(item, from: items.count - 1)
    }

    /// Replaces the item of this slot.
    mutating func update(_ item: Item) {
        let position = Int(positions[item.slot])
        if item < items[position] { rise(item, from: position) } else { sink(item, from: position) }
    }

    mutating func remove(slot: Int) {
        let position = Int(positions[slot])
        positions[slot] = -1
        let last = items.removeLast()
        guard last.slot != slot else { return }
        // It takes the place of the removed item, which may be in another branch.
        items[position] = last
        positions[last.slot] = Int32(position)
        rise(last, from: position)
        sink(items[position], from: position)
    }

    private mutating func rise(_ item: Item, from start: Int) {
        var position = start
        while position > 0, item < items[(position - 1) / 4] {
            let parent = (position - 1) / 4
            place(items[parent], at: position)
            position = parent
        }
        place(item, at: position)
    }

    private mutating func sink(_ item: Item, from start: Int) {
        var position = start
        while let child = leastChild(of: position), items[child] < item {
            place(items[child], at: position)
            position = child
        }
        place(item, at: position)
    }

    private func leastChild(of position: Int) -> Int? {
        let children = min(4 * position + 1, items.count)..<min(4 * position + 5, items.count)
        return children.min { items[$0] < items[$1] }
    }

    private mutating func place(_ item: Item, at position: Int) {
        items[position] = item
        positions[item.slot] = Int32(position)
    }
}
