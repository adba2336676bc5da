// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// Repeating timer sources, written by hand.
package enum DispatchIntervals {
    /// `shape.count` timers at `shape.interval` for `shape.ticks` intervals.
    package static func run(_ shape: IntervalShape, leeway: Int) throws -> Measurement {
        let queue = DispatchQueue(label: "rival.dispatch")
        let places = Places(shape.count)
        let armed = Armed()
        let begin = Clocks.wall() + shape.lead
        queue.sync {
            let now = Clocks.wall()
            let start = DispatchTime.now() + .nanoseconds(Int(begin) - Int(now))
            for index in 0..<shape.count {
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.setEventHandler { places.cells[index] &+= 1 }
                source.schedule(
                    deadline: start + .nanoseconds(shape.phase(index)),
                    repeating: .nanoseconds(shape.interval), leeway: .nanoseconds(leeway))
                source.activate()
                armed.sources.append(source)
            }
        }
        let measurement = shape.measure(from: begin, places)
        queue.sync {
            for source in armed.sources { source.cancel() }
            armed.sources = []
        }
        Settle.untilIdle()
        return try measurement()
    }

    private final class Armed: @unchecked Sendable {
        // `@unchecked` because it is used inside `queue.sync` alone.
        var sources: [any DispatchSourceTimer] = []
    }
}
