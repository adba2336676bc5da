// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// An actor on a serial queue: libdispatch has an executor of its own on Apple's systems only, so
/// it is written by hand, as a server would.
package enum QueueExecutor {
    /// Calls from a task to an actor.
    package static func calls(_ count: Int) throws -> Measurement {
        let far = Resident()
        let (span, visits) = Awaited.time(on: nil) {
            var sum = 0
            for _ in 0..<count { Visits.add(await far.receive(), to: &sum) }
            return Visits(count: await far.count, sum: sum)
        }
        return try visits.measurement(span, count)
    }

    private final class Queue: SerialExecutor {
        private let queue = DispatchQueue(label: "rival.executor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Resident {
        private let queue = Queue()
        private(set) var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            queue.asUnownedSerialExecutor()
        }

        func receive() -> Int {
            count &+= 1
            return count
        }
    }
}
