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

/// Items in memory of its own.
struct Items {
    private(set) var count = 0
    private var capacity = 0
    private var base: UnsafeMutablePointer<Item>?

    subscript(_ index: Int) -> Item {
        get { base.unsafelyUnwrapped[index] }
        set { base.unsafelyUnwrapped[index] = newValue }
    }

    mutating func append(_ item: Item) {
        if count == capacity { grow() }
        base.unsafelyUnwrapped[count] = item
        count += 1
    }

    private mutating func grow() {
        let larger = max(16, 2 * capacity)
        let memory = UnsafeMutablePointer<Item>.allocate(capacity: larger)
        if let base {
            memory.moveUpdate(from: base, count: count)
            base.deallocate()
        }
        base = memory
        capacity = larger
    }

    /// Takes out an item; the last one gets its place.
    mutating func take(_ index: Int) -> Item {
        let item = self[index]
        count -= 1
        if index < count { self[index] = self[count] }
        return item
    }

    mutating func removeFirst(_ number: Int) {
        count -= number
        base.unsafelyUnwrapped.update(from: base.unsafelyUnwrapped + number, count: count)
    }

    mutating func free() {
        base?.deallocate()
        self = Items()
    }
}

/// Items in the order of their instants: a heap.
struct Alarms {
    private var items = Items()

    /// When the first happens.
    var next: Int64? { items.count == 0 ? nil : items[0].instant }
    var count: Int { items.count }

    mutating func set(_ item: Item) {
        items.append(item)
        var index = items.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard item.isBefore(items[parent]) else { break }
            items[index] = items[parent]
            index = parent
        }
        items[index] = item
    }

    /// Takes out the first item that happens by `now`.
    mutating func take(by now: Int64) -> Item? {
        guard items.count > 0, items[0].instant <= now else { return nil }
        return takeFirst()
    }

    mutating func takeFirst() -> Item {
        let first = items.take(0)
        let count = items.count
        guard count > 1 else { return first }
        let sinking = items[0]
        var index = 0
        while 2 * index + 1 < count {
            var child = 2 * index + 1
            if child + 1 < count, items[child + 1].isBefore(items[child]) { child += 1 }
            guard items[child].isBefore(sinking) else { break }
            items[index] = items[child]
            index = child
        }
        items[index] = sinking
        return first
    }

    mutating func free() { items.free() }
}

/// A serial place: the main actor's, or a queue's. Its items run in order.
struct Lane {
    /// A step of it waits, and has others inside of it.
    var isBusy = false
    private var items = Items()
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var first: Item { items[head] }

    mutating func append(_ item: Item) { items.append(item) }

    mutating func removeFirst() -> Item {
        let item = items[head]
        head += 1
        if head > 64, head > items.count / 2 {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    mutating func free() { items.free() }
}
#endif
