// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// The entries of an ``IdleTracker``. It does a bounded part of its work in each turn.
final class IdleTable<ID: Sendable>: IdleOwner, @unchecked Sendable {
    // because `state` is locked.

    /// A chunk's part under the lock.
    private struct Chunk {
        let ids: UnsafeMutablePointer<ID>
        /// No entry has an older stamp.
        var oldest = UInt64.max
    }

    private struct State {
        var clock: IdleClock
        /// `nil`: the tracker is gone.
        var expired: (@Sendable ([ID]) -> Void)?
        var chunks: [Chunk] = []
        var count = 0
        /// Lines before this one have been used.
        var used = 0
        /// The first of the lines with a free slot.
        var free = none
        var timer = CheckTimer()
        /// Whether the timer is armed, or runs.
        var isTicking = false
        /// The chunk that the look under way comes to next; `nil`: there is none.
        var cursor: Int?
        var bound: UInt64 = 0
        var sweep = IdleSweep()
        /// Whether a look has begun since the loop's end.
        var isLast = false
        /// Whether the current look is at all entries, not only at those that may have expired.
        var looksAtAll = false

        /// Whether there is more to look for in the next turn.
        var isStepping: Bool { isTicking && count > 0 && (cursor != nil || !sweep.isEmpty) }

        var oldest: UInt64 { chunks.reduce(.max) { min($0, $1.oldest) } }
    }

    private static var none: UInt32 { .max }
    /// Chunks that one step looks at: 15,300 entries.
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

    /// The time of the turn, or of the call where there is none: no later than the call.
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
            let (chunk, place) = index.quotientAndRemainder(dividingBy: IdleChunk.count)
            let slot = stamps.slot(index)
            (state.chunks[chunk].ids + place).initialize(to: id)
            state.chunks[chunk].oldest = min(state.chunks[chunk].oldest, now)
            state.count += 1
            slot.stamp.pointee.store(now, ordering: .relaxed)
            let generation = slot.renumber()
            if isFull(index / IdleChunk.slotsOfLine) { dropLine(&state) }
            if !state.isTicking {
                // Under the lock, as where the last entry disarms it.
                state.isTicking = true
                let tick = state.clock.next(at: now, oldest: now, isLast: loop.isOver)
                state.timer.arm(atCalled: tick)
            }
            return IdleEntry(slot: slot, generation: generation)
        }
    }

    /// A free slot of the first line that has one.
    private func takeSlot(_ state: inout State) -> Int {
        while true {
            if state.free == Self.none { addLine(&state) }
            let (chunk, line) = stamps.line(Int(state.free))
            if let slot = chunk.freeSlot(of: line) { return slot.index }
            // Worn by other trackers.
            dropLine(&state)
        }
    }

    private func isFull(_ number: Int) -> Bool {
        let (chunk, line) = stamps.line(number)
        return chunk.freeSlot(of: line) == nil
    }

    /// Puts a line that has not been used among those with a free slot.
    private func addLine(_ state: inout State) {
        if state.used == state.chunks.count * IdleChunk.lines {
            if state.chunks.count == stamps.chunks.count { stamps.addChunk() }
            state.chunks.append(Chunk(ids: .allocate(capacity: IdleChunk.count)))
        }
        state.used += 1
        pushLine(state.used - 1, &state)
    }

    private func pushLine(_ number: Int, _ state: inout State) {
        let (chunk, line) = stamps.line(number)
        chunk.setNext(state.free, of: line)
        state.free = UInt32(number)
    }

    /// Takes the first line from those with a free slot.
    private func dropLine(_ state: inout State) {
        let (chunk, line) = stamps.line(Int(state.free))
        state.free = chunk.next(of: line)
    }

    func remove(_ index: Int, _ generation: UInt32) -> Bool {
        // Released outside of the lock.
        let id: ID? = state.withLock { state in
            // The stamps of a tracker that is gone are another one's, under another lock.
            guard state.expired != nil, stamps.slot(index).number == generation else { return nil }
            defer { if state.count == 0 { rest(&state) } }
            return takeID(index, &state)
        }
        return id != nil
    }

    /// There is nothing to look for: the timer stands for no entry any more.
    private func rest(_ state: inout State) {
        (state.cursor, state.sweep, state.isTicking) = (nil, IdleSweep(), false)
        state.timer.disarm()
    }

    /// Ends the entry of this slot, and returns its ID.
    private func takeID(_ index: Int, _ state: inout State) -> ID {
        let slot = stamps.slot(index)
        let line = index / IdleChunk.slotsOfLine
        let wasFull = isFull(line)
        slot.renumber()
        state.count -= 1
        if wasFull, slot.isFree { pushLine(line, &state) }
        let (chunk, place) = index.quotientAndRemainder(dividingBy: IdleChunk.count)
        return (state.chunks[chunk].ids + place).move()
    }

    /// Does a step, one in a turn: looks at some entries, and lets some expire. **Thread:** the
    /// loop's, in its timer.
    func step(_ tick: Tick) {
        let turn = now
        let (ids, expired) = state.withLock { state in
            // As in `remove`: it may be gone since its timer came due. So may its entries.
            guard state.expired != nil, state.isTicking else { return ([ID](), state.expired) }
            begin(&state, turn)
            look(&state)
            let ids = state.cursor == nil ? expire(&state) : []
            rearm(&state, tick, turn)
            return (ids, state.expired)
        }
        if !ids.isEmpty, let expired {
            LoopTimer.countRun(tick)
            expired(ids)
        }
        // One step in a turn.
        state.withLock { if $0.isStepping { LoopTimer.rearmNextTurn(tick) } }
    }

    /// Begins a look at all entries, if it is time.
    private func begin(_ state: inout State, _ turn: UInt64) {
        let oldest = state.oldest
        let isOver = loop.isOver
        state.clock.note(turn, oldest: oldest, isLast: isOver)
        guard state.cursor == nil, state.sweep.isEmpty else { return }
        let isDue = state.clock.needsSweep(at: turn, oldest: oldest)
        // A drain waits for the limits of entries, and for no look that finds them touched.
        state.looksAtAll = isOver && !state.isLast
        guard isDue || state.looksAtAll else { return }
        state.isLast = isOver
        state.cursor = 0
        state.bound = state.clock.bound(at: turn)
        if isDue { state.clock.sweep(at: turn) }
    }

    /// Arms the timer after a step: for the next turn if there is more to do, else while there are
    /// entries. Under the lock, as where the last entry disarms it.
    private func rearm(_ state: inout State, _ tick: Tick, _ turn: UInt64) {
        if state.isStepping {
            LoopTimer.rearm(tick, at: turn)
        } else if state.count > 0 {
            let isLast = loop.isOver
            let next = state.clock.next(at: turn, oldest: state.oldest, isLast: isLast)
            LoopTimer.rearm(tick, at: next)
        } else {
            rest(&state)
        }
    }

    /// Looks at the next chunks.
    private func look(_ state: inout State) {
        guard var index = state.cursor else { return }
        var found: [IdleSweep.Found] = []
        var left = Self.chunksPerStep
        while left > 0, index < state.chunks.count {
            if state.chunks[index].oldest < (state.looksAtAll ? .max : state.bound) {
                state.chunks[index].oldest = look(at: index, &state, &found)
                left -= 1
            }
            index += 1
        }
        state.cursor = index < state.chunks.count ? index : nil
        state.sweep.add(found)
    }

    /// Finds what has expired in a chunk. Returns the oldest stamp of the rest.
    private func look(
        at chunk: Int, _ state: inout State, _ found: inout [IdleSweep.Found]
    ) -> UInt64 {
        let first = chunk * IdleChunk.count
        var oldest = UInt64.max
        let used = min(IdleChunk.count, state.used * IdleChunk.slotsOfLine - first)
        for place in 0..<used {
            let slot = IdleSlot(of: stamps.chunks[chunk], place)
            guard slot.isLive else { continue }
            let stamp = slot.stamp.pointee.load(ordering: .relaxed)
            if stamp < state.bound {
                found.append(IdleSweep.Found(stamp: stamp, index: first + place))
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
        // Without the lock: from here on nobody else writes to the slots, and there may be a million.
        for (chunk, part) in chunks.enumerated() {
            let left = used * IdleChunk.slotsOfLine - chunk * IdleChunk.count
            forget(stamps.chunks[chunk], part.ids, min(IdleChunk.count, left))
        }
        stamps.end()
        withExtendedLifetime(expired) {}
    }

    private func forget(_ chunk: IdleChunk, _ ids: UnsafeMutablePointer<ID>, _ used: Int) {
        for place in 0..<used {
            let slot = IdleSlot(of: chunk, place)
            guard slot.isLive else { continue }
            slot.renumber()
            (ids + place).deinitialize(count: 1)
        }
        ids.deallocate()
    }
}
