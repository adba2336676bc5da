// SPDX-License-Identifier: Apache-2.0

package import BenchKit
package import Dispatch

/// A thread that waits for a value from elsewhere, by hand.
package enum DispatchWaits {
    /// A block on a queue hands a value over with a semaphore.
    ///
    /// - Parameter turns: where the waiting thread is; `nil` is the caller.
    package static func handOver(
        _ series: WaitSeries, to queue: DispatchQueue, from turns: Turns? = nil
    ) throws -> Measurement {
        let box = Tally()
        let ready = DispatchSemaphore(value: 0)
        return try series.measure(on: turns) { trip in
            queue.async {
                box.cell.pointee = trip
                ready.signal()
            }
            ready.wait()
            return box.value
        }
    }

    /// As many blocks as there are values, gathered by a group.
    package static func gather(_ count: Int, _ series: WaitSeries) throws -> Measurement {
        let queue = DispatchQueue(label: "rival.gather")
        return try series.measure { trip in
            let group = DispatchGroup()
            let values = Kept<Int>(count)
            for value in 0..<count {
                queue.async(group: group) { values.append(value) }
            }
            group.wait()
            var sum = trip
            values.forEach { sum &+= $0 }
            return sum - count * (count - 1) / 2
        }
    }

    /// For each wait with a semaphore of its own, which another thread signals while it lasts.
    package static func allocations() throws -> Measurement {
        try LastingWaits.allocations(
            (0..<LastingWaits.count).map { _ in DispatchSemaphore(value: 0) },
            complete: { $0.signal() }, wait: { $0.wait() })
    }
}

/// The same with tasks.
package enum TaskWaits {
    /// A detached task that gives a value.
    package static func spawn(_ series: WaitSeries) throws -> Measurement {
        try series.measureInTask { trip in await Task.detached { trip }.value }
    }

    /// A task that reports its progress on a stream.
    package static func progress(_ series: WaitSeries) throws -> Measurement {
        let steps = Tally()
        var measurement = try series.measureInTask { trip in
            let (stream, progress) = AsyncStream.makeStream(of: Double.self)
            let task = Task.detached {
                progress.yield(0.5)
                progress.finish()
                return trip
            }
            for await _ in stream { steps.cell.pointee += 1 }
            return await task.value
        }
        try measurement.check("progress", steps.value, is: series.count)
        return measurement
    }

    /// Tasks that each give a value, gathered in order.
    package static func gather(_ count: Int, _ series: WaitSeries) throws -> Measurement {
        try series.measureInTask { trip in
            let tasks = (0..<count).map { value in Task { value } }
            var sum = trip
            for task in tasks { sum &+= await task.value }
            return sum - count * (count - 1) / 2
        }
    }
}
