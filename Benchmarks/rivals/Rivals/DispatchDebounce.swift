// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// Many requests, one firing, written by hand.
package enum DispatchDebounce {
    /// One source pushed back again and again, and fired once at the end.
    package static func reschedule(_ rhythm: Rhythm, calls: Int) throws -> Measurement {
        let field = QueueField(outstanding: 1_000)
        let countdown = Countdown(1)
        // `nonisolated(unsafe)` because dispatch sources may be used from any thread.
        nonisolated(unsafe) let source = DispatchSource.makeTimerSource(queue: field.queue)
        source.setEventHandler { countdown.hit() }
        source.schedule(deadline: .now() + .seconds(5))
        source.activate()
        let span = rhythm.time(field.turns, calls: calls) { _ in
            source.schedule(deadline: .now() + .seconds(5))
        }
        field.turns.run { source.schedule(deadline: .now() + .milliseconds(1)) }
        countdown.wait()
        source.cancel()
        return try finish(span, calls, countdown, field)
    }

    /// The commonest debounce: cancel the work item, hand over the next. Dispatch keeps each one
    /// until its deadline, so the calls should be few.
    package static func workItems(_ rhythm: Rhythm, calls: Int) throws -> Measurement {
        let field = QueueField(outstanding: 1_000)
        let queue = field.queue
        let countdown = Countdown(1)
        let pending = Pending()
        let span = rhythm.time(field.turns, calls: calls) { _ in
            pending.item?.cancel()
            let item = DispatchWorkItem { countdown.hit() }
            pending.item = item
            queue.asyncAfter(deadline: .now() + .seconds(5), execute: item)
        }
        field.turns.run {
            pending.item?.cancel()
            queue.asyncAfter(deadline: .now() + .milliseconds(1)) { countdown.hit() }
        }
        countdown.wait()
        return try finish(span, calls, countdown, field)
    }

    private static func finish(
        _ span: Span, _ calls: Int, _ countdown: Countdown, _ field: QueueField
    ) throws -> Measurement {
        field.close()
        var measurement = Measurement(span, operations: calls)
        try measurement.check("fired", countdown.hits, is: 1)
        return measurement
    }

    /// The work item that would fire next.
    private final class Pending: @unchecked Sendable {
        // `@unchecked` because closures of one serial queue alone use it.
        var item: DispatchWorkItem?
    }
}
