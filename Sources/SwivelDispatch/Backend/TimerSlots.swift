// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// A repeating timer's closure and grid. Guarded by the lock of the slots.
final class TickCycle: @unchecked Sendable {  // because the lock guards the grid
    let run: @Sendable (Tick) -> Void
    var grid: TickGrid

    init(_ run: @escaping @Sendable (Tick) -> Void, _ grid: TickGrid) {
        self.run = run
        self.grid = grid
    }
}

/// The timers of all backends, each in a slot that is used again. Pure: no clock, no lock, and what
/// is taken out of a slot is released by the caller.
struct TimerSlots {
    enum Work {
        case once(@Sendable () -> Void)
        case cycle(TickCycle)
    }

    /// What the source of a timer is to be set to.
    struct Setting {
        /// `nil`: there is none yet.
        let source: TimerSource?
        let queue: DispatchQueue
        let deadline: UInt64
        /// Of a source that repeats by itself; 0 for one that fires once each time it is set.
        let interval: UInt64
        let leeway: UInt64
        fileprivate let version: UInt32
    }

    private enum Phase {
        case free
        case armed
        /// The closure is under way.
        case running
        /// A repeating closure is under way, for the last time.
        case last
    }

    private struct Slot {
        var generation: UInt32 = 1
        var phase = Phase.free
        /// Counts the changes of the deadline.
        var version: UInt32 = 0
        var isWatched = false
        var deadline: UInt64 = 0
        var leeway: UInt64 = 0
        var source: TimerSource?
        var queue: DispatchQueue?
        var work: Work?
    }

    private var slots: [Slot] = []
    private var unused: [UInt32] = []
    private var watchers: [UInt64: [@Sendable () -> Void]] = [:]

    /// Slots that hold a timer.
    var count: Int { slots.count - unused.count - retired }
    private var retired = 0

    private func find(_ id: UInt64) -> Int? {
        let index = Int(UInt32(truncatingIfNeeded: id))
        guard index < slots.count, slots[index].generation == UInt32(id >> 32) else { return nil }
        return slots[index].phase == .free ? nil : index
    }

    /// Puts a timer into a slot, and tells its number.
    mutating func insert(
        _ work: Work, _ source: TimerSource?, on queue: DispatchQueue, deadline: UInt64,
        leeway: UInt64
    ) -> UInt64 {
        let index: Int
        if let last = unused.popLast() {
            index = Int(last)
        } else {
            index = slots.count
            slots.append(Slot())
        }
        slots[index].phase = .armed
        slots[index].deadline = deadline
        slots[index].leeway = leeway
        slots[index].source = source
        slots[index].queue = queue
        slots[index].work = work
        return UInt64(slots[index].generation) << 32 | UInt64(index)
    }

    /// Empties a slot. What was in it is the caller's.
    private mutating func empty(_ index: Int) -> (TimerSource?, Work?) {
        defer {
            slots[index].phase = .free
            slots[index].queue = nil
            slots[index].isWatched = false
            // A slot whose generations are used up is never used again: handles stay unique.
            if slots[index].generation == .max {
                retired += 1
            } else {
                slots[index].generation += 1
                unused.append(UInt32(index))
            }
        }
        return (slots[index].source.take(), slots[index].work.take())
    }
}

// Firing: called on the queue.
extension TimerSlots {
    enum Fire {
        case nothing
        /// The deadline has been moved: the source is set to it once more.
        case early
        case once(@Sendable () -> Void)
        case tick(TickCycle, index: UInt64, scheduled: UInt64, missed: UInt64)
    }

    /// Claims the timer. The closure is the caller's to run.
    mutating func fire(_ id: UInt64, _ now: UInt64) -> Fire {
        guard let index = find(id), slots[index].phase == .armed else { return .nothing }
        guard now >= slots[index].deadline else { return .early }
        slots[index].phase = .running
        switch slots[index].work {
        case .once(let run):
            slots[index].work = nil
            return .once(run)
        case .cycle(let cycle):
            let tick = cycle.grid.begin(now)
            slots[index].deadline = cycle.grid.deadline
            return .tick(cycle, index: tick.index, scheduled: tick.scheduled, missed: tick.missed)
        case nil:
            return .nothing
        }
    }

    /// What the end of a closure comes to.
    enum End {
        /// The next tick's time is kept already.
        case goesOn
        /// The source is to be set to the next tick.
        case set
        case over(TimerSource?, Work?, [@Sendable () -> Void])
    }

    /// The closure has returned; a one-shot's has been released.
    mutating func end(_ id: UInt64, _ now: UInt64) -> End {
        guard let index = find(id) else { return .goesOn }
        if slots[index].phase == .running, case .cycle(let cycle) = slots[index].work {
            slots[index].phase = .armed
            cycle.grid.end(now)
            slots[index].deadline = cycle.grid.deadline
            return cycle.grid.isPlain ? .goesOn : .set
        }
        let waiting = slots[index].isWatched ? watchers.removeValue(forKey: id) : nil
        let (source, work) = empty(index)
        return .over(source, work, waiting ?? [])
    }
}

// What the handle asks for.
extension TimerSlots {
    /// After ``CancelResult/cancelled`` the source and the closure are the caller's.
    mutating func cancel(_ id: UInt64) -> (CancelResult, TimerSource?, Work?) {
        guard let index = find(id) else { return (.finished, nil, nil) }
        switch slots[index].phase {
        case .free:
            return (.finished, nil, nil)
        case .armed:
            let (source, work) = empty(index)
            return (.cancelled, source, work)
        case .running:
            if case .cycle = slots[index].work {
                slots[index].phase = .last
            }
            return (.running, nil, nil)
        case .last:
            return (.running, nil, nil)
        }
    }

    /// False: it is over, or its one-shot closure is running.
    mutating func rearm(_ id: UInt64, at deadline: UInt64) -> Bool {
        guard isPending(id), let index = find(id) else { return false }
        if case .cycle(let cycle) = slots[index].work {
            cycle.grid.move(to: deadline)
        }
        slots[index].deadline = deadline
        slots[index].version &+= 1
        return true
    }

    func isPending(_ id: UInt64) -> Bool {
        guard let index = find(id) else { return false }
        switch slots[index].phase {
        case .free, .last: return false
        case .armed: return true
        case .running:
            if case .cycle = slots[index].work { return true }
            return false
        }
    }

    mutating func watch(_ id: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
        guard let index = find(id), slots[index].phase != .armed else { return false }
        slots[index].isWatched = true
        watchers[id, default: []].append(body)
        return true
    }
}

// Setting the source: outside the lock, until it is set to the newest deadline.
extension TimerSlots {
    /// What the source is to be set to; `nil`: the timer is over.
    func setting(_ id: UInt64) -> Setting? {
        guard let index = find(id), let queue = slots[index].queue else { return nil }
        let slot = slots[index]
        var interval: UInt64 = 0
        if case .cycle(let cycle) = slot.work, cycle.grid.isPlain {
            interval = cycle.grid.interval
        }
        return Setting(
            source: slot.source, queue: queue, deadline: slot.deadline, interval: interval,
            leeway: slot.leeway, version: slot.version)
    }

    /// Whether the source may stay as it was set.
    func isSettled(_ id: UInt64, _ setting: Setting) -> Bool {
        find(id).map { slots[$0].version == setting.version } ?? true
    }

    /// Gives a timer its source. False: it is over, or has one.
    mutating func adopt(_ source: TimerSource, for id: UInt64) -> Bool {
        guard let index = find(id), slots[index].source == nil else { return false }
        slots[index].source = source
        return true
    }
}
