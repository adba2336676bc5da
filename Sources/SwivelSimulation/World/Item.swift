// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)

/// Work that takes a step, or an event of a later instant: a few words, because tests are built
/// without optimization, and each step handles one.
struct Item {
    enum Kind {
        /// `word` is a job of the runtime's.
        case job
        /// `word` is a retained ``Closure``.
        case closure
        /// A turn of the loop number `word`.
        case turn
        /// The end of the member's sleep, if that is still the same.
        case sleep
        /// A retained ``Closure`` that runs between two steps.
        case call
    }

    let kind: Kind
    /// The number of the member that takes the step.
    let member: Int
    /// Where it runs: see ``Simulator/lanes``.
    let lane: Int
    let word: UInt
    /// Grows from item to item.
    var order: UInt64 = 0
    /// When it happens, or has become able to.
    var instant: Int64 = 0

    func isBefore(_ other: Item) -> Bool {
        instant == other.instant ? order < other.order : instant < other.instant
    }
}

/// A closure as an item's word.
final class Closure: Sendable {
    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    static func word(_ run: @escaping @Sendable () -> Void) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(Closure(run)).toOpaque())
    }

    /// Returns the closure of a word, which is used up.
    static func take(_ word: UInt) -> @Sendable () -> Void {
        guard let address = UnsafeRawPointer(bitPattern: word) else { return {} }
        return Unmanaged<Closure>.fromOpaque(address).takeRetainedValue().run
    }
}

extension [Item] {
    /// Takes out an item; the last one gets its place.
    mutating func take(_ index: Int) -> Item {
        swapAt(index, count - 1)
        return removeLast()
    }
}

/// Items in the order of their instants: a heap.
struct Alarms {
    private(set) var items: [Item] = []

    /// When the first happens.
    var next: Int64? { items.isEmpty ? nil : items[0].instant }

    mutating func set(_ item: Item) {
        var index = items.count
        items.append(item)
        while index > 0, item.isBefore(items[(index - 1) / 2]) {
            items.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes out the first item that happens by `now`.
    mutating func take(by now: Int64) -> Item? {
        guard let next, next <= now else { return nil }
        let first = items.take(0)
        var index = 0
        while 2 * index + 1 < items.count {
            var child = 2 * index + 1
            if child + 1 < items.count, items[child + 1].isBefore(items[child]) { child += 1 }
            guard items[child].isBefore(items[index]) else { break }
            items.swapAt(index, child)
            index = child
        }
        return first
    }
}

/// A serial place: the main actor's, or a queue's. Its items run in order.
struct Lane {
    /// A step of it waits, and has others inside of it.
    var isBusy = false
    var items: ArraySlice<Item> = []
}
#endif
