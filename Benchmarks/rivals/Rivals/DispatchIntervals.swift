// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// Repeating timer sources, written by hand.
package enum DispatchIntervals {
    /// `shape.count` timers at `shape.interval` for `shape.ticks` intervals.
    package static func run(_ shape: IntervalShape, leeway: Int) throws -> Measurement {
        try shape.measure(lead: 50_000_000 + UInt64(shape.count) * 12_000) {
            let queue = DispatchQueue(label: "rival.dispatch")
            let armed = Armed()
            return IntervalShape.Steps(
                arm: { begin, places in
                    queue.sync { armed.arm(shape, leeway, begin, places, on: queue) }
                },
                close: {
                    queue.sync {
                        for source in armed.sources { source.cancel() }
                        armed.sources = []
                    }
                })
        }
    }

    private final class Armed: @unchecked Sendable {
        // `@unchecked` because it is used inside `queue.sync` alone.
        var sources: [any DispatchSourceTimer] = []

        func arm(
            _ shape: IntervalShape, _ leeway: Int, _ begin: UInt64, _ places: Places,
            on queue: DispatchQueue
        ) {
            let start = DispatchTime.now() + .nanoseconds(Int(begin) - Int(Clocks.wall()))
            for index in 0..<shape.count {
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.setEventHandler { places.cells[index] &+= 1 }
                source.schedule(
                    deadline: start + .nanoseconds(shape.phase(index)),
                    repeating: .nanoseconds(shape.interval), leeway: .nanoseconds(leeway))
                source.activate()
                sources.append(source)
            }
        }
    }
}
