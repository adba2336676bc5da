// SPDX-License-Identifier: Apache-2.0

package import BenchKit
package import Dispatch

/// A serial queue with hand-written timer sources that stand by, and what measures on it.
package final class QueueField: @unchecked Sendable {
    // `@unchecked` because `sources` is used by closures of the serial queue alone.
    package let queue: DispatchQueue
    package let turns: Turns
    package private(set) var sources: [any DispatchSourceTimer] = []
    private let fired = Tally()

    package init(outstanding: Int, delays: Delays = .far) {
        let queue = DispatchQueue(label: "rival.dispatch")
        self.queue = queue
        turns = Turns { queue.async(execute: $0) }
        turns.run { [self] in
            sources.reserveCapacity(outstanding)
            for index in 0..<outstanding {
                sources.append(makeOther(after: delays.nanoseconds[index & delays.mask]))
            }
        }
    }

    /// One of the timers that stand by. On the queue only.
    private func makeOther(after nanoseconds: Int) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [fired] in fired.cell.pointee &+= 1 }
        source.schedule(deadline: .now() + .nanoseconds(nanoseconds))
        source.activate()
        return source
    }

    /// Puts another source at a place. On the queue only.
    package func replace(_ place: Int, with source: any DispatchSourceTimer) {
        sources[place] = source
    }

    /// Cancels every timer and waits until Dispatch has let go of them.
    package func close() {
        turns.run { [self] in
            for source in sources { source.cancel() }
            sources = []
        }
        Settle.untilIdle()
    }
}
