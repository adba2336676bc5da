// SPDX-License-Identifier: Apache-2.0

/// The deadlines of a ``DeadlineQueue``.
final class DeadlineTable<ID: Sendable>: DeadlineOwner {
    private struct State {
        var heap = DeadlineHeap()
        /// By slot; `nil`: the slot is free.
        var ids: [ID?] = []
        /// By slot. A deadline that ends changes it, so that its handles find it no more.
        var generations: [UInt32] = []
        var free: [Int] = []
        var number: UInt64 = 0
        /// The timer's instant, which is the first deadline; `.max`: it is not armed; 0: the next
        /// turn, in which a step continues.
        var armed = UInt64.max
        /// `nil`: the queue is gone, and has no slots any more.
        var expired: (@Sendable ([ID]) -> Void)?
        var timer = CheckTimer()

        func has(_ entry: DeadlineEntry) -> Bool {
            expired != nil && generations[Int(entry.slot)] == entry.generation
        }

        mutating func set(_ slot: Int, to deadline: UInt64) {
            number += 1
            heap.set(DeadlineHeap.Item(deadline: deadline, number: number, slot: slot))
            arm(called: deadline)
        }

        /// Ends the deadline of this slot, which has one, and returns its ID.
        mutating func take(_ slot: Int) -> ID? {
            heap.remove(slot: slot)
            generations[slot] += 1
            // A slot whose numbers are used up is not used again.
            if generations[slot] < .max { free.append(slot) }
            return ids[slot].take()
        }

        /// Keeps the timer at the first deadline. A passed one that the caller has set is due among
        /// the caller's posts. Others are due behind the events that were ready: these may still
        /// move them.
        mutating func arm(called: UInt64? = nil) {
            let first = heap.first?.deadline ?? .max
            guard first != armed, first == .max || armed != 0 else { return }
            armed = first
            if first == .max {
                timer.disarm()
            } else if first == called {
                timer.arm(atCalled: first)
            } else {
                _ = timer.arm(at: first)
            }
        }
    }

    /// Deadlines that come in one step.
    private static var idsPerStep: Int { 1024 }

    let loop: Loop
    private let state: Lock<State>

    init(on loop: Loop, _ expired: @escaping @Sendable ([ID]) -> Void) {
        self.loop = loop
        state = Lock(State(expired: expired))
        let timer = CheckTimer(
            on: loop, label: "DeadlineQueue", of: self,
            end: { $0.state.withLock { $0.timer.end() } }, check: { $0.step($1) })
        state.withLock { $0.timer = timer }
    }

    var count: Int { state.withLock { $0.heap.count } }

    func add(_ id: ID, _ deadline: UInt64) -> DeadlineEntry {
        let (slot, generation) = state.withLock { state in
            let slot = state.free.popLast() ?? state.ids.count
            if slot == state.ids.count {
                state.ids.append(id)
                state.generations.append(0)
            } else {
                state.ids[slot] = id
            }
            state.set(slot, to: deadline)
            return (UInt32(slot), state.generations[slot])
        }
        return DeadlineEntry(owner: self, slot: slot, generation: generation)
    }

    func move(_ entry: DeadlineEntry, to deadline: UInt64) -> Bool {
        state.withLock { state in
            guard state.has(entry) else { return false }
            state.set(Int(entry.slot), to: deadline)
            return true
        }
    }

    func remove(_ entry: DeadlineEntry) -> Bool {
        // Released outside of the lock.
        let id: ID? = state.withLock { state in
            guard state.has(entry) else { return nil }
            defer { state.arm() }
            return state.take(Int(entry.slot))
        }
        return id != nil
    }

    /// The timer's instant has come. **Thread:** the loop's.
    private func step(_ tick: Tick) {
        let now = loop.turnTime.nanoseconds
        let (ids, expired) = state.withLock { state in
            var ids: [ID] = []
            while ids.count < Self.idsPerStep, let first = state.heap.first, first.deadline <= now,
                let id = state.take(first.slot)
            {
                ids.append(id)
            }
            let next = state.heap.first?.deadline ?? .max
            state.armed = next > now ? next : 0
            // Under the lock, as in `arm`.
            if next < .max { LoopTimer.rearm(tick, at: next) }
            return (ids, state.expired)
        }
        if !ids.isEmpty, let expired {
            LoopTimer.countRun(tick)
            expired(ids)
        }
        // One step per turn.
        state.withLock { if $0.armed == 0 { LoopTimer.rearm(tick, at: nil) } }
    }

    /// The queue is gone: drops its timer, its closure and its deadlines.
    func close() {
        // All at once, and released outside of the lock: there may be a million.
        let (timer, dropped) = state.withLock { state in
            defer { state = State(expired: nil) }
            return (state.timer.take(isReleased: true), state)
        }
        timer?.free()
        withExtendedLifetime(dropped) {}
    }
}

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
