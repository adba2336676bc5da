// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Swivel

/// An operation whose calls to the allocator, and instructions, are counted.
enum Counted: Sendable {
    case pairs(capturing: Bool)
    case rearm
    case cancel
    case fire
}

extension TimerContender {
    static func counts(_ operation: Counted) throws -> Measurement {
        let count = try OperationCount<Self>()
        return switch operation {
        case .pairs(let capturing): try count.pairs(capturing: capturing)
        case .rearm: try count.rearm()
        case .cancel: try count.cancel()
        case .fire: try count.fire()
        }
    }
}

extension TickingContender {
    static func countsOfATick() throws -> Measurement { try OperationCount<Self>().tick() }
}

extension ReplacingContender {
    static func countsOfReplacing() throws -> Measurement {
        try OperationCount<Self>().replace()
    }
}

/// Operations on a loop, or queue, with their calls to the allocator and their instructions counted.
/// Each is done a thousand times before it counts.
struct OperationCount<Context: TimerContender> {
    let field: Field<Context>
    let count = 1_000

    init() throws { field = try Field(outstanding: 100) }

    func pairs(capturing: Bool) throws -> Measurement {
        let (context, count) = (field.context, count)
        let (fired, cancelled, delays) = (Tally(), Tally(), Delays.far)
        return try measure(expecting: ("cancelled", cancelled, 2 * count)) {
            for index in 0..<count {
                let handle =
                    capturing
                    ? context.after(delays[index]) { fired.cell.pointee &+= index }
                    : context.after(delays[index]) { PlainCount.raise() }
                if context.cancel(handle) { cancelled.cell.pointee += 1 }
            }
        }
    }

    func rearm() throws -> Measurement {
        let (context, count) = (field.context, count)
        let (moved, delays, pending) = (Tally(), Delays.far, Latest<Context.Handle>())
        let work: @Sendable () -> Void = { PlainCount.raise() }
        field.turns.run { pending.handle = context.after(delays[0], work) }
        let measurement = try measure(expecting: ("rearmed", moved, 2 * count), closing: false) {
            pending.move { handle in
                for index in 0..<count where context.rearm(&handle, after: delays[index], work) {
                    moved.cell.pointee += 1
                }
            }
        }
        field.turns.run {
            pending.move { _ = context.cancel($0) }
            pending.handle = nil
        }
        return try closing(measurement)
    }

    func cancel() throws -> Measurement {
        let (context, count) = (field.context, count)
        let (cancelled, delays) = (Tally(), Delays.far)
        let handles = Kept<Context.Handle>(2 * count)
        field.turns.run {
            for index in 0..<2 * count {
                handles.append(context.after(delays[index]) { PlainCount.raise() })
            }
        }
        let half = Tally()
        return try measure(expecting: ("cancelled", cancelled, 2 * count)) {
            let first = half.value
            half.cell.pointee += count
            var index = 0
            handles.forEach { handle in
                if first..<(first + count) ~= index, context.cancel(handle) {
                    cancelled.cell.pointee += 1
                }
                index += 1
            }
        }
    }

    func fire() throws -> Measurement {
        let batch = Batch(count)
        let handles = Kept<Context.Handle>(2 * count)
        for _ in 0..<2 {
            field.turns.run { [field] in
                // Armed first and counted from here on: the last of them ends the counting.
                let due = Clocks.wall() + 5_000_000
                for _ in 0..<batch.goal {
                    handles.append(field.context.at(due, leeway: 0) { batch.hit() })
                }
                batch.begin()
            }
            batch.wait()
        }
        return try finish(batch)
    }

    func finish(_ batch: Batch) throws -> Measurement {
        var measurement = Measurement()
        batch.counting.add(to: &measurement, operations: count)
        try measurement.check("counted firings", batch.counted, is: count)
        return try closing(measurement)
    }

    func measure(
        expecting: (what: String, tally: Tally, count: Int), closing: Bool = true,
        _ body: @escaping @Sendable () -> Void
    ) throws -> Measurement {
        let counting = Counting()
        field.turns.run(body)
        Settle.untilIdle()
        field.turns.run {
            counting.begin()
            body()
            counting.end()
        }
        var measurement = Measurement()
        counting.add(to: &measurement, operations: count)
        try measurement.check(expecting.what, expecting.tally.value, is: expecting.count)
        return closing ? try self.closing(measurement) : measurement
    }

    func closing(_ measurement: Measurement) throws -> Measurement {
        var measurement = measurement
        try field.close(&measurement)
        return measurement
    }
}

extension OperationCount where Context: TickingContender {
    func tick() throws -> Measurement {
        let batch = Batch(count)
        let latest = Latest<Context.Repeating>()
        field.turns.run { [field] in
            latest.handle = field.context.every(25_000, startingAfter: 25_000, leeway: 0) { _ in
                batch.hit()
            }
        }
        batch.wait()
        field.turns.run { batch.begin() }
        batch.wait()
        field.turns.run { [field] in latest.move { _ = field.context.stop($0) } }
        return try finish(batch)
    }
}

extension OperationCount where Context: ReplacingContender {
    /// One pending operation replaced again and again; each closure has captures.
    func replace() throws -> Measurement {
        let (context, count) = (field.context, count)
        let (calls, ran) = (Tally(), Tally())
        let countdown = Countdown(1)
        var measurement = try measure(expecting: ("called", calls, 2 * count), closing: false) {
            for index in 0..<count {
                context.replace("id", after: Delays.fiveSeconds[0]) {
                    ran.cell.pointee &+= index | 1
                }
                calls.cell.pointee += 1
            }
        }
        field.turns.run {
            context.replace("id", after: Delays.millisecond[0]) { countdown.hit() }
        }
        countdown.wait()
        try measurement.check("replaced closures that ran", ran.value, is: 0)
        return try closing(measurement)
    }
}

extension OperationCount where Context == Loop {
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
