// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// The part of a ``DeadlineQueue`` that its entries know.
class DeadlineOwner: @unchecked Sendable {
    // because it is immutable, and a subclass has a lock.
    let loop: Loop

    init(on loop: Loop) {
        self.loop = loop
    }

    /// The instant `delay` from now, in nanoseconds.
    final func instant(after delay: Duration) -> UInt64 {
        loop.now.advanced(by: delay).nanoseconds
    }

    func move(_ slot: Int, _ generation: UInt32, to deadline: UInt64) -> Bool { false }
    func remove(_ slot: Int, _ generation: UInt32) -> Bool { false }
}

/// The deadlines of a ``DeadlineQueue``.
final class DeadlineTable<ID: Sendable>: DeadlineOwner, @unchecked Sendable {
    // because `state` is locked.

    private struct State {
        var heap = DeadlineHeap()
        /// By slot; `nil`: the slot is free.
        var ids: [ID?] = []
        var generations: [UInt32] = []
        var free: [Int] = []
        var number: UInt64 = 0
        /// When the timer runs, which is the first deadline; `.max`: it is not armed; 0: in the next
        /// turn, where a step goes on.
        var armed = UInt64.max
        /// `nil`: the queue is gone, and knows no slots any more.
        var expired: (@Sendable ([ID]) -> Void)?
        /// It retains the table, until the queue is gone.
        var timer: LoopTimer?
    }

    /// Deadlines that come in one step.
    private static var idsPerStep: Int { 1024 }

    private let state: Lock<State>

    init(on loop: Loop, _ expired: @escaping @Sendable ([ID]) -> Void) {
        state = Lock(State(expired: expired))
        super.init(on: loop)
        let timer = LoopTimer(on: loop, label: "DeadlineQueue", deciding: { self.step($0) })
        state.withLock { $0.timer = timer }
    }

    var count: Int { state.withLock { $0.heap.count } }

    func add(_ id: ID, _ deadline: UInt64) -> (slot: Int, generation: UInt32) {
        state.withLock { state in
            let slot = state.free.popLast() ?? state.ids.count
            if slot == state.ids.count {
                state.ids.append(id)
                state.generations.append(0)
            } else {
                state.ids[slot] = id
            }
            state.heap.insert(item(deadline, slot, &state))
            arm(&state, for: deadline)
            return (slot, state.generations[slot])
        }
    }

    override func move(_ slot: Int, _ generation: UInt32, to deadline: UInt64) -> Bool {
        state.withLock { state in
            guard state.expired != nil, state.generations[slot] == generation,
                state.ids[slot] != nil
            else { return false }
            state.heap.update(item(deadline, slot, &state))
            arm(&state, for: deadline)
            return true
        }
    }

    override func remove(_ slot: Int, _ generation: UInt32) -> Bool {
        // Released outside of the lock.
        let id: ID? = state.withLock { state in
            guard state.expired != nil, state.generations[slot] == generation else { return nil }
            defer { arm(&state) }
            return take(slot, &state)
        }
        return id != nil
    }

    private func item(
        _ deadline: UInt64, _ slot: Int, _ state: inout State
    ) -> DeadlineHeap.Item {
        state.number += 1
        return DeadlineHeap.Item(deadline: deadline, number: state.number, slot: slot)
    }

    /// Ends the entry of this slot, if it has one, and returns its ID.
    private func take(_ slot: Int, _ state: inout State) -> ID? {
        guard let id = state.ids[slot] else { return nil }
        state.heap.remove(slot: slot)
        state.ids[slot] = nil
        state.generations[slot] += 1
        // A slot whose numbers are used up is not used again.
        if state.generations[slot] < .max { state.free.append(slot) }
        return id
    }

    /// Keeps the timer at the first deadline. Under the lock: of two threads that move it, the one that
    /// knows more comes last.
    ///
    /// A deadline that the caller asks for and that has passed is due among its posts. Those of other
    /// entries are due behind the events that were ready: they may still move them.
    private func arm(_ state: inout State, for asked: UInt64? = nil) {
        let first = state.heap.first?.deadline ?? .max
        guard first != state.armed, first == .max || state.armed != 0 else { return }
        state.armed = first
        if first == .max {
            state.timer?.disarm()
        } else if first == asked {
            state.timer?.arm(at: LoopClock.Instant(nanoseconds: first))
        } else {
            _ = state.timer?.arm(at: first)
        }
    }

    /// The timer's instant has come. **Thread:** the loop's.
    private func step(_ tick: Tick) {
        let now = loop.turnTime.nanoseconds
        let (ids, expired) = state.withLock { state in
            var ids: [ID] = []
            while ids.count < Self.idsPerStep, let first = state.heap.first, first.deadline <= now,
                let id = take(first.slot, &state)
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
        // One step in a turn.
        state.withLock { if $0.armed == 0 { LoopTimer.rearmNextTurn(tick) } }
    }

    /// The queue is gone: drops its timer, its closure and its deadlines.
    func close() {
        // All at once, and released outside of the lock: there may be a million.
        let dropped = state.withLock { state in
            defer { state = State(expired: nil) }
            return state
        }
        withExtendedLifetime(dropped) {}
    }
}
