// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// Arming and cancelling on a queue, written by hand.
package enum DispatchTimers {
    /// A source made, armed and cancelled, over and over, on its own queue.
    package static func pairs(outstanding: Int, turns: Int) throws -> Measurement {
        let field = QueueField(outstanding: outstanding)
        let queue = field.queue
        let (fired, made, delays) = (Tally(), Tally(), Delays.far)
        let span = field.turns.time(warmUp: 1, turns: turns) { turn in
            let first = turn * Turns.operations
            for index in first..<(first + Turns.operations) {
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.setEventHandler { fired.cell.pointee &+= index | 1 }
                source.schedule(
                    deadline: .now() + .nanoseconds(delays.nanoseconds[index & delays.mask]))
                source.activate()
                source.cancel()
            }
            made.cell.pointee &+= Turns.operations
        }
        field.close()
        return try checked(span, turns: turns, made: made, fired: fired)
    }

    /// A work item made, handed to `asyncAfter` and cancelled. Dispatch keeps each one until its
    /// deadline, so the turns are few.
    package static func asyncAfterPairs(outstanding: Int, turns: Int) throws -> Measurement {
        let field = QueueField(outstanding: outstanding)
        let queue = field.queue
        let (fired, made, delays) = (Tally(), Tally(), Delays.far)
        let span = field.turns.time(warmUp: 0, turns: turns) { turn in
            let first = turn * Turns.operations
            for index in first..<(first + Turns.operations) {
                let item = DispatchWorkItem { fired.cell.pointee &+= index | 1 }
                queue.asyncAfter(
                    deadline: .now() + .nanoseconds(delays.nanoseconds[index & delays.mask]),
                    execute: item)
                item.cancel()
            }
            made.cell.pointee &+= Turns.operations
        }
        field.close()
        return try checked(span, turns: turns, warmUp: 0, made: made, fired: fired)
    }

    /// A random one of the outstanding sources cancelled and another armed in its place.
    package static func churn(outstanding: Int, turns: Int, picks: Picks) throws -> Measurement {
        let field = QueueField(outstanding: outstanding)
        let queue = field.queue
        let (fired, made, delays) = (Tally(), Tally(), Delays.far)
        let span = field.turns.time(warmUp: 1, turns: turns) { turn in
            let first = turn * Turns.operations
            for index in first..<(first + Turns.operations) {
                let place = Int(picks.indices[index & picks.mask])
                field.sources[place].cancel()
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.setEventHandler { fired.cell.pointee &+= index & 1 }
                source.schedule(
                    deadline: .now() + .nanoseconds(delays.nanoseconds[index & delays.mask]))
                source.activate()
                field.replace(place, with: source)
            }
            made.cell.pointee &+= Turns.operations
        }
        field.close()
        return try checked(span, turns: turns, made: made, fired: nil)
    }

    /// Sources made, armed and cancelled by other threads than the queue's.
    package static func fromThreads(
        _ producers: Int, each: Int, outstanding: Int
    ) throws -> Measurement {
        let field = QueueField(outstanding: outstanding)
        let queue = field.queue
        let made = Places(producers)
        let (fired, delays) = (Tally(), Delays.far)
        let span = Producers.time(producers) { producer in
            for index in 0..<each {
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.setEventHandler { fired.cell.pointee &+= index | 1 }
                source.schedule(
                    deadline: .now() + .nanoseconds(delays.nanoseconds[index & delays.mask]))
                source.activate()
                source.cancel()
            }
            made.cells[producer] = UInt32(each)
        } drained: {
            field.turns.run {}
        }
        field.close()
        var measurement = Measurement(span, operations: producers * each)
        try measurement.check("pairs", made.sum(cappedAt: each), is: producers * each)
        try measurement.check("fired", fired.value, is: 0)
        return measurement
    }

    private static func checked(
        _ span: Span, turns: Int, warmUp: Int = 1, made: Tally, fired: Tally?
    ) throws -> Measurement {
        var measurement = Measurement(span, operations: turns * Turns.operations)
        try measurement.check("pairs", made.value, is: (turns + warmUp) * Turns.operations)
        if let fired { try measurement.check("fired", fired.value, is: 0) }
        return measurement
    }
}
