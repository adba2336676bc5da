// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch
internal import Synchronization

/// `Task.sleep` at the same work.
package enum TaskSleeps {
    /// Sleeps of an hour, begun and cancelled a thousand at a time.
    package static var pairsOfAnHour: SleepPairs {
        SleepPairs(on: nil) { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// One sleep after the other.
    package static func lateness(count: Int, outstanding: Int) throws -> Measurement {
        let others = Sleepers(outstanding)
        others.start { .nanoseconds(Delays.far.nanoseconds[$0 & Delays.far.mask]) }
        Settle.untilIdle()
        let chain = Chain(count)
        Task.detached {
            var next: UInt64? = chain.start()
            while let due = next {
                let delay = Clocks.elapsed(from: Clocks.wall(), to: due)
                try await Task.sleep(for: .nanoseconds(delay), tolerance: .zero)
                next = chain.fired()
            }
        }
        chain.wait()
        _ = others.cancelAll()
        var measurement = chain.lateness.measurement
        try measurement.check("fired", chain.lateness.count, is: count)
        return measurement
    }

    /// Sleeps of an hour, all cancelled.
    package static func cancelledTimeouts(_ count: Int) throws -> Measurement {
        try MemoryReading.ofTimers(count) {
            let sleepers = Sleepers(count)
            return MemoryReading.Steps(
                arm: {
                    sleepers.start { _ in .seconds(3600) }
                    return count
                },
                cancel: { sleepers.cancelAll() })
        }
    }

    /// Tasks that sleep.
    private final class Sleepers: Sendable {
        private let tasks: Kept<Task<Void, Never>>
        private let capacity: Int
        private let counts = Counts()

        init(_ capacity: Int) {
            self.capacity = capacity
            tasks = Kept(capacity)
        }

        func start(_ delay: (Int) -> Duration) {
            for index in 0..<capacity {
                let delay = delay(index)
                tasks.append(
                    Task.detached { [counts] in
                        counts.begun.add(1, ordering: .relaxed)
                        do {
                            try await Task.sleep(for: delay, tolerance: .zero)
                        } catch {
                            counts.cancelled.add(1, ordering: .relaxed)
                        }
                        counts.ended.add(1, ordering: .releasing)
                    })
            }
            while counts.begun.load(ordering: .relaxed) < capacity { Clocks.pause(200_000) }
        }

        /// Cancels every task, waits until they have ended, and tells how many were cancelled.
        func cancelAll() -> Int {
            tasks.forEach { $0.cancel() }
            while counts.ended.load(ordering: .acquiring) < capacity { Clocks.pause(200_000) }
            tasks.removeAll()
            return counts.cancelled.load(ordering: .relaxed)
        }
    }

    private final class Counts: Sendable {
        let begun = Atomic(0)
        let cancelled = Atomic(0)
        let ended = Atomic(0)
    }
}
