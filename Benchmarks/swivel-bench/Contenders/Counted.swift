// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Swivel

/// Operations on a loop, or queue, with the calls to the allocator counted: all threads', so that
/// nothing hides on another one. Each is done a thousand times before it counts.
struct Counted<Context: Contender> {
    private let field: Field<Context>
    private let count = 1_000

    init(_ field: Field<Context>) { self.field = field }

    func pairs(capturing: Bool) throws -> Measurement {
        let (context, count) = (field.context, count)
        let (fired, cancelled, delays) = (Tally(), Tally(), Delays.far)
        return try measure(expecting: ("cancelled", cancelled, 2 * count)) {
            for index in 0..<count {
                let delay = delays.durations[index & delays.mask]
                let handle: TimerHandle
                if capturing {
                    handle = context.after(delay) { fired.cell.pointee &+= index }
                } else {
                    handle = context.after(delay) { PlainCount.raise() }
                }
                if handle.cancel() == .cancelled { cancelled.cell.pointee += 1 }
            }
        }
    }

    func rearm() throws -> Measurement {
        let (context, count) = (field.context, count)
        let (handles, moved, delays) = (Kept<TimerHandle>(1), Tally(), Delays.far)
        field.turns.run { handles.append(context.after(.seconds(30)) { PlainCount.raise() }) }
        let measurement = try measure(expecting: ("rearmed", moved, 2 * count), closing: false) {
            handles.forEach { handle in
                for index in 0..<count {
                    let isPending = handle.rearm(after: delays.durations[index & delays.mask])
                    if isPending { moved.cell.pointee += 1 }
                }
            }
        }
        field.turns.run { handles.forEach { $0.cancel() } }
        return try closing(measurement)
    }

    /// One pending operation replaced again and again; each closure has captures.
    func once() throws -> Measurement {
        let (context, count) = (field.context, count)
        let (calls, ran) = (Tally(), Tally())
        let countdown = Countdown(1)
        var measurement = try measure(expecting: ("called", calls, 2 * count), closing: false) {
            for index in 0..<count {
                context.debounce("id", after: .seconds(30)) {
                    ran.cell.pointee &+= index | 1
                }
                calls.cell.pointee += 1
            }
        }
        field.turns.run { context.debounce("id", after: .milliseconds(1)) { countdown.hit() } }
        countdown.wait()
        try measurement.check("replaced closures that ran", ran.value, is: 0)
        return try closing(measurement)
    }

    func cancel() throws -> Measurement {
        let (context, count) = (field.context, count)
        let (handles, cancelled, delays) = (Kept<TimerHandle>(2 * count), Tally(), Delays.far)
        field.turns.run {
            for index in 0..<2 * count {
                handles.append(
                    context.after(delays.durations[index & delays.mask]) { PlainCount.raise() })
            }
        }
        let half = Tally()
        return try measure(expecting: ("cancelled", cancelled, 2 * count)) {
            let first = half.value
            half.cell.pointee += count
            var index = 0
            handles.forEach { handle in
                if first..<(first + count) ~= index, handle.cancel() == .cancelled {
                    cancelled.cell.pointee += 1
                }
                index += 1
            }
        }
    }

    func fire() throws -> Measurement {
        let batch = Batch(count)
        for _ in 0..<2 {
            field.turns.run { [field] in
                // Armed first and counted from here on: the last of them ends the counting.
                let due = LoopClock.Instant(nanoseconds: Clocks.wall() + 5_000_000)
                for _ in 0..<batch.goal {
                    _ = field.context.at(due, leeway: .zero) { batch.hit() }
                }
                batch.begin()
            }
            batch.wait()
        }
        return try finish(batch)
    }

    func tick() throws -> Measurement {
        let batch = Batch(count)
        let handle = field.context.every(
            .microseconds(25), startingAfter: .microseconds(25), leeway: .zero
        ) { _ in batch.hit() }
        batch.wait()
        field.turns.run { batch.begin() }
        batch.wait()
        field.turns.run { handle.cancel() }
        return try finish(batch)
    }

    private func finish(_ batch: Batch) throws -> Measurement {
        var measurement = Measurement()
        measurement[.allocations] = Double(batch.allocations) / Double(count)
        try measurement.check("counted firings", batch.counted, is: count)
        return try closing(measurement)
    }

    private func measure(
        expecting: (what: String, tally: Tally, count: Int), closing: Bool = true,
        _ body: @escaping @Sendable () -> Void
    ) throws -> Measurement {
        let allocated = Tally()
        field.turns.run(body)
        Settle.untilIdle()
        field.turns.run {
            let mark = AllocationMark()
            body()
            allocated.cell.pointee = mark.end()
        }
        var measurement = Measurement()
        measurement[.allocations] = Double(allocated.value) / Double(count)
        try measurement.check(expecting.what, expecting.tally.value, is: expecting.count)
        return closing ? try self.closing(measurement) : measurement
    }

    private func closing(_ measurement: Measurement) throws -> Measurement {
        var measurement = measurement
        try field.close(&measurement)
        return measurement
    }
}

extension Counted where Context == Loop {
    func arm() throws -> Measurement {
        let (count, delays, armed) = (count, Delays.far, Tally())
        let timer = LoopTimer(on: field.context) { PlainCount.raise() }
        return try measure(expecting: ("armed", armed, 2 * count)) {
            for index in 0..<count {
                timer.arm(after: delays.durations[index & delays.mask])
                timer.disarm()
                armed.cell.pointee += 1
            }
        }
    }
}

/// Firings of which a thousand are counted, from `begin()` on.
private final class Batch: @unchecked Sendable {
    // `@unchecked` because only closures of one loop or serial queue use it, and everybody else
    // reads after `wait()`.
    let goal: Int
    private(set) var allocations = 0
    private(set) var counted = 0
    private var hits = 0
    private var mark: AllocationMark?
    private let reached = DispatchSemaphore(value: 0)

    init(_ goal: Int) { self.goal = goal }

    func begin() {
        hits = 0
        mark = AllocationMark()
    }

    func hit() {
        hits += 1
        guard hits == goal else { return }
        if let mark {
            allocations = mark.end()
            counted = hits
        }
        mark = nil
        reached.signal()
    }

    func wait() { reached.wait() }
}
