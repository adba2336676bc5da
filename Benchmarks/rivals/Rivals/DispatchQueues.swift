// SPDX-License-Identifier: Apache-2.0
package import BenchKit
package import Dispatch

/// Dispatch's queues at the work that is no timer's.
package enum DispatchQueues {
    /// A thread waits for a value that a block on a queue gives it with a semaphore.
    ///
    /// - Parameter turns: where the waiting thread is; `nil` is the caller.
    package static func waits(
        _ series: WaitSeries, for queue: DispatchQueue, from turns: Turns? = nil
    ) throws -> Measurement {
        try series.measure(on: turns, wait(by: { queue.async(execute: $0) }))
    }

    /// A wait for a value of something that runs closures.
    package static func wait(
        by post: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> @Sendable (Int) -> Int {
        let box = Tally()
        let ready = DispatchSemaphore(value: 0)
        return { trip in
            post {
                box.cell.pointee = trip
                ready.signal()
            }
            ready.wait()
            return box.value
        }
    }

    /// Calls to the allocator for each wait with a semaphore that was made before.
    package static func allocations() throws -> Measurement {
        try LastingWaits.allocations(
            (0..<LastingWaits.count).map { _ in DispatchSemaphore(value: 0) },
            complete: { $0.signal() }, wait: { $0.wait() })
    }

    /// Chains of `length` blocks on one serial queue, each of which submits the next.
    package static func maps(_ length: Int, chains: Int) throws -> Measurement {
        let queue = DispatchQueue(label: "chains")
        return try ChainSum.measure(length, chains: chains) { chains in
            let sum = Tally()
            let done = DispatchSemaphore(value: 0)

            @Sendable func begin(_ chain: Int) {
                guard chain < chains else {
                    done.signal()
                    return
                }
                hop(0, chain, of: chain)
            }
            @Sendable func hop(_ step: Int, _ value: Int, of chain: Int) {
                guard step < length else {
                    sum.cell.pointee &+= value
                    return begin(chain + 1)
                }
                queue.async { hop(step + 1, value &+ step, of: chain) }
            }
            queue.async { begin(0) }
            done.wait()
            return sum.value
        }
    }

    /// Calls from a task to an actor on a serial queue. libdispatch has an executor of its own on
    /// Apple's systems only, so it is written by hand, as a server would.
    package static func calls(_ count: Int) throws -> Measurement {
        let far = Resident()
        Cores.place(.shared)
        defer { Cores.release() }
        let (span, visits) = Awaited.time(on: nil) {
            var sum = 0
            for _ in 0..<count { Visits.add(await far.receive(), to: &sum) }
            return Visits(count: await far.count, sum: sum)
        }
        return try visits.measurement(span, count)
    }

    private final class Executor: SerialExecutor {
        private let queue = DispatchQueue(label: "rival.executor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Resident {
        private let executor = Executor()
        private(set) var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        func receive() -> Int {
            count &+= 1
            return count
        }
    }
}
