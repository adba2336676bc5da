// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// The entries of an ``IdleTracker``. It does a bounded part of its work in each turn.
final class IdleTable<ID: Sendable>: IdleOwner, @unchecked Sendable {
    // because `state` is locked.

    /// A chunk's part under the lock.
    private struct Chunk {
        /// By the number of the slot; those of entries are initialized.
        let ids = UnsafeMutablePointer<ID>.allocate(capacity: IdleChunk.count)
        /// No entry has an older stamp.
        var oldest = UInt64.max
    }

    private struct State {
        var clock: IdleClock
        /// `nil`: the tracker is gone.
        var expired: (@Sendable ([ID]) -> Void)?
        var chunks: [Chunk] = []
        var count = 0
        /// Slots before this one have been used.
        var used = 0
        /// The free slots among them.
        var free: [UInt32] = []
        var timer = CheckTimer()
        /// The next chunk of the running sweep; `nil`: none runs.
        var cursor: Int?
        var bound: UInt64 = 0
        var sweep = IdleSweep()
        /// Whether a sweep has begun since the loop's end.
        var isLast = false
        /// Whether the current sweep is of all entries, not only of those that may have expired.
        var sweepsAll = false

        /// Whether the next turn continues a sweep.
        var isStepping: Bool { count > 0 && (cursor != nil || !sweep.isEmpty) }

        var oldest: UInt64 { chunks.reduce(.max) { min($0, $1.oldest) } }

        /// There are no entries: the timer stands for none.
        mutating func stop() {
            (cursor, sweep) = (nil, IdleSweep())
            timer.disarm()
        }
    }

    /// Chunks that one step reads: 15,300 entries.
    private static var chunksPerStep: Int { 12 }
    /// Entries that expire in one step.
    private static var idsPerStep: Int { 1024 }

    let stamps = IdleStamps.take()
    private let loop: Loop
    private let state: Lock<State>

    init(on loop: Loop, _ clock: IdleClock, _ expired: @escaping @Sendable ([ID]) -> Void) {
        self.loop = loop
        state = Lock(State(clock: clock, expired: expired))
        stamps.begin(self, on: loop)
        let timer = CheckTimer(
            on: loop, label: "IdleTracker", of: self,
            end: { $0.state.withLock { $0.timer.end() } }, check: { $0.step($1) })
        state.withLock { $0.timer = timer }
    }

    /// The time of the turn, or of the call outside of turns: no later than the call.
    private var now: UInt64 {
        let turn = loop.manual == nil ? swivel__own_turn_time(loop.record) : 0
        return turn == 0 ? swivel_loop_now(loop.record) : turn
    }

    /// The number of entries. **Thread:** any.
    var count: Int { state.withLock { $0.count } }

    /// Adds an entry, and arms the timer if it is the first. **Thread:** any.
    func add(_ id: ID) -> IdleEntry {
        let now = now
        return state.withLock { state in
            let index = takeSlot(&state)
            let (chunk, number) = index.quotientAndRemainder(dividingBy: IdleChunk.count)
            let slot = stamps.slot(index)
            (state.chunks[chunk].ids + number).initialize(to: id)
            state.chunks[chunk].oldest = min(state.chunks[chunk].oldest, now)
            state.count += 1
            slot.stamp.pointee.store(now, ordering: .relaxed)
            let generation = slot.renumber()
            if state.count == 1 {
                // Under the lock, as when the last entry disarms it.
                let tick = state.clock.next(at: now, oldest: now, isLast: loop.isOver)
                state.timer.arm(atCalled: tick)
            }
            return IdleEntry(slot: slot, generation: generation)
        }
    }

    private func takeSlot(_ state: inout State) -> Int {
        if let index = state.free.popLast() { return Int(index) }
        while true {
            if state.used == state.chunks.count * IdleChunk.count {
                if state.chunks.count == stamps.chunks.count { stamps.addChunk() }
                state.chunks.append(Chunk())
                // It is empty, and has room from here on: an end neither allocates nor copies.
                state.free.reserveCapacity(state.chunks.count * IdleChunk.count)
            }
            state.used += 1
            // Else worn by entries of other trackers.
            if stamps.slot(state.used - 1).isFree { return state.used - 1 }
        }
    }

    func remove(_ index: Int, _ generation: UInt32) -> Bool {
        // Released outside of the lock.
        let id: ID? = state.withLock { state in
            // The stamps of a tracker that is gone are another one's, under another lock.
            guard state.expired != nil, stamps.slot(index).number == generation else { return nil }
            defer { if state.count == 0 { state.stop() } }
            return takeID(index, &state)
        }
        return id != nil
    }

    /// Ends the entry of this slot, and returns its ID.
    private func takeID(_ index: Int, _ state: inout State) -> ID {
        let (chunk, number) = index.quotientAndRemainder(dividingBy: IdleChunk.count)
        let slot = stamps.slot(index)
        slot.renumber()
        state.count -= 1
        if slot.isFree { state.free.append(UInt32(index)) }
        return (state.chunks[chunk].ids + number).move()
    }

    /// Does a step, one per turn: reads some stamps, and lets some entries expire. **Thread:** the
    /// loop's, in its timer.
    func step(_ tick: Tick) {
        let turn = now
        let (ids, expired) = state.withLock { state in
            // The tracker may be gone since its timer came due, or its entries.
            guard state.count > 0 else { return ([ID](), state.expired) }
            begin(&state, turn)
            sweep(&state)
            let ids = state.cursor == nil ? expire(&state) : []
            rearm(&state, tick, turn)
            return (ids, state.expired)
        }
        if !ids.isEmpty, let expired {
            LoopTimer.countRun(tick)
            expired(ids)
        }
        // One step per turn.
        state.withLock { if $0.isStepping { LoopTimer.rearm(tick, at: nil) } }
    }

    /// Begins a sweep of all entries, if it is time.
    private func begin(_ state: inout State, _ turn: UInt64) {
        let oldest = state.oldest
        let isOver = loop.isOver
        state.clock.note(turn, oldest: oldest, isLast: isOver)
        guard state.cursor == nil, state.sweep.isEmpty else { return }
        let isDue = state.clock.needsSweep(at: turn, oldest: oldest)
        // A drain waits for the limits of entries, and for no sweep that finds them touched.
        state.sweepsAll = isOver && !state.isLast
        guard isDue || state.sweepsAll else { return }
        state.isLast = isOver
        state.cursor = 0
        state.bound = state.clock.bound(at: turn)
        if isDue { state.clock.sweep(at: turn) }
    }

    /// Arms the timer after a step: for the next turn if there is more to do, else while there are
    /// entries. Under the lock, as when the last entry disarms it.
    private func rearm(_ state: inout State, _ tick: Tick, _ turn: UInt64) {
        if state.isStepping {
            LoopTimer.rearm(tick, at: turn)
        } else if state.count > 0 {
            let next = state.clock.next(at: turn, oldest: state.oldest, isLast: loop.isOver)
            LoopTimer.rearm(tick, at: next)
        } else {
            state.stop()
        }
    }

    /// Sweeps the next chunks.
    private func sweep(_ state: inout State) {
        guard var index = state.cursor else { return }
        var found: [IdleSweep.Found] = []
        var left = Self.chunksPerStep
        while left > 0, index < state.chunks.count {
            if state.chunks[index].oldest < (state.sweepsAll ? .max : state.bound) {
                state.chunks[index].oldest = sweep(index, &state, &found)
                left -= 1
            }
            index += 1
        }
        state.cursor = index < state.chunks.count ? index : nil
        state.sweep.add(found)
    }

    /// Finds the entries of a chunk that have expired. Returns the oldest stamp of the rest.
    private func sweep(
        _ chunk: Int, _ state: inout State, _ found: inout [IdleSweep.Found]
    ) -> UInt64 {
        let first = chunk * IdleChunk.count
        var oldest = UInt64.max
        for number in 0..<min(IdleChunk.count, state.used - first) {
            let slot = IdleSlot(of: stamps.chunks[chunk], number)
            guard slot.isLive else { continue }
            let stamp = slot.stamp.pointee.load(ordering: .relaxed)
            if stamp < state.bound {
                found.append(IdleSweep.Found(stamp: stamp, index: first + number))
            } else {
                oldest = min(oldest, stamp)
            }
        }
        return oldest
    }

    /// Lets entries expire that were found, and were not touched or removed since.
    private func expire(_ state: inout State) -> [ID] {
        var ids: [ID] = []
        for _ in 0..<Self.idsPerStep {
            guard let found = state.sweep.next() else { break }
            let slot = stamps.slot(found.index)
            guard slot.isLive else { continue }
            if slot.expire(since: found.stamp) {
                ids.append(takeID(found.index, &state))
            } else {
                let chunk = found.index / IdleChunk.count
                let stamp = slot.stamp.pointee.load(ordering: .relaxed)
                state.chunks[chunk].oldest = min(state.chunks[chunk].oldest, stamp)
            }
        }
        return ids
    }

    /// The tracker is gone: drops its closure and its entries.
    func close() {
        let (expired, timer, chunks, used) = state.withLock { state in
            defer { (state.expired, state.chunks, state.count) = (nil, [], 0) }
            let timer = state.timer.take(isReleased: true)
            return (state.expired, timer, state.chunks, state.used)
        }
        timer?.free()
        // Without the lock: from here on no other thread writes to the slots, and there may be a
        // million.
        for (chunk, part) in chunks.enumerated() {
            for number in 0..<min(IdleChunk.count, used - chunk * IdleChunk.count) {
                let slot = IdleSlot(of: stamps.chunks[chunk], number)
                guard slot.isLive else { continue }
                slot.renumber()
                (part.ids + number).deinitialize(count: 1)
            }
            part.ids.deallocate()
        }
        stamps.end()
        withExtendedLifetime(expired) {}
    }
}

/// The entries that one sweep of an ``IdleTracker`` has found expired, by their stamps.
///
/// They come in parts, each of which is sorted when it comes: no step takes as long as all.
struct IdleSweep {
    struct Found: Comparable {
        let stamp: UInt64
        let index: Int

        static func < (a: Found, b: Found) -> Bool { (a.stamp, a.index) < (b.stamp, b.index) }
    }

    /// Each part lies in its order, the next last.
    private var parts: [[Found]] = []

    var isEmpty: Bool { parts.isEmpty }

    mutating func add(_ part: [Found]) {
        if !part.isEmpty { parts.append(part.sorted(by: >)) }
    }

    /// Takes the entry that was touched longest ago.
    mutating func next() -> Found? {
        let first = parts.indices.min { a, b in
            parts[a][parts[a].count - 1] < parts[b][parts[b].count - 1]
        }
        guard let first else { return nil }
        let found = parts[first].removeLast()
        if parts[first].isEmpty { parts.remove(at: first) }
        return found
    }
}
