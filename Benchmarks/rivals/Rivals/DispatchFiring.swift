// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// Hand-written timer sources that are left to fire.
package enum DispatchFiring {
    /// The longest time to arm one source: the first guess at how much time arming needs.
    private static let armingNanoseconds: UInt64 = 6_000

    /// `offsets[i]` nanoseconds after a common start, timer `i` fires. With `blocked` the queue is
    /// kept busy until all are due.
    package static func fire(
        offsets: [Int], leeway: Int, blocked: Bool
    ) throws -> Measurement {
        var firing = Firing(lead: 30_000_000 + UInt64(offsets.count) * armingNanoseconds)
        let (span, fired) = try firing.time(range: UInt64(offsets.max() ?? 0)) {
            let armed = Armed(offsets.count)
            return Firing.Steps(
                arm: { lead in
                    armed.arm(offsets, lead: lead, leeway: leeway)
                    return armed.countdown
                },
                block: blocked
                    ? { instant in armed.queue.async { Clocks.pause(until: instant) } } : nil,
                close: { armed.close() })
        }
        var measurement = Measurement(span, operations: offsets.count)
        try measurement.check("fired", fired, is: offsets.count)
        return measurement
    }

    /// Sources of one measurement.
    private final class Armed: @unchecked Sendable {
        // `@unchecked` because `sources` is used by closures of the serial queue alone.
        let queue = DispatchQueue(label: "rival.dispatch")
        let countdown: Countdown
        private var sources: [any DispatchSourceTimer] = []

        init(_ count: Int) { countdown = Countdown(count) }

        func arm(_ offsets: [Int], lead: UInt64, leeway: Int) {
            queue.sync {
                let start = DispatchTime.now() + .nanoseconds(Int(lead))
                sources.reserveCapacity(offsets.count)
                for offset in offsets {
                    let source = DispatchSource.makeTimerSource(queue: queue)
                    source.setEventHandler { [countdown] in countdown.hit() }
                    source.schedule(
                        deadline: start + .nanoseconds(offset), leeway: .nanoseconds(leeway))
                    source.activate()
                    sources.append(source)
                }
            }
        }

        func close() {
            queue.sync {
                for source in sources { source.cancel() }
                sources = []
            }
            Settle.untilIdle()
        }
    }

    /// One timer after the other, each armed when the one before it fired.
    package static func lateness(count: Int, outstanding: Int) throws -> Measurement {
        let field = QueueField(outstanding: outstanding)
        let chain = Chain(count)
        // `nonisolated(unsafe)` because dispatch sources may be used from any thread.
        nonisolated(unsafe) let source = DispatchSource.makeTimerSource(
            flags: .strict, queue: field.queue)
        source.setEventHandler {
            if let delay = chain.fired() {
                source.schedule(deadline: .now() + .nanoseconds(delay), leeway: .nanoseconds(0))
            }
        }
        field.turns.run {
            source.schedule(deadline: .now() + .nanoseconds(chain.start()))
            source.activate()
        }
        return try finish(chain, field) {
            source.setEventHandler {}
            source.cancel()
        }
    }

    /// The same with `asyncAfter`.
    package static func asyncAfterLateness(count: Int, outstanding: Int) throws -> Measurement {
        let field = QueueField(outstanding: outstanding)
        let chain = Chain(count)
        let queue = field.queue
        @Sendable func arm(_ delay: Int) {
            queue.asyncAfter(deadline: .now() + .nanoseconds(delay)) {
                if let next = chain.fired() { arm(next) }
            }
        }
        field.turns.run { arm(chain.start()) }
        return try finish(chain, field) {}
    }

    private static func finish(
        _ chain: Chain, _ field: QueueField, _ cancel: @escaping @Sendable () -> Void
    ) throws -> Measurement {
        chain.wait()
        field.turns.run(cancel)
        field.close()
        var measurement = chain.lateness.measurement
        try measurement.check("fired", chain.lateness.count, is: chain.goal)
        return measurement
    }
}
