// SPDX-License-Identifier: Apache-2.0

package import BenchKit
package import Dispatch

/// A thread that waits for a value from elsewhere, by hand.
package enum DispatchWaits {
    /// A block on a queue hands a value over with a semaphore, and is waited for: once after another.
    package static func handOver(_ trips: Int, to queue: DispatchQueue) throws -> Measurement {
        let box = Tally()
        let ready = DispatchSemaphore(value: 0)
        var sum = 0
        let span = Span.of {
            for trip in 0..<trips {
                queue.async {
                    box.cell.pointee = trip
                    ready.signal()
                }
                ready.wait()
                sum &+= box.value
            }
        }
        var measurement = Measurement(span, operations: trips)
        try measurement.check("sum", sum, is: trips * (trips - 1) / 2)
        return measurement
    }

    /// As many blocks as there are values, gathered by a group.
    package static func gather(_ count: Int, rounds: Int) throws -> Measurement {
        let queue = DispatchQueue(label: "rival.gather")
        var sum = 0
        let span = Span.of {
            for _ in 0..<rounds {
                let group = DispatchGroup()
                let values = Kept<Int>(count)
                for value in 0..<count {
                    queue.async(group: group) { values.append(value) }
                }
                group.wait()
                values.forEach { sum &+= $0 }
            }
        }
        var measurement = Measurement(span, operations: rounds)
        try measurement.check("sum", sum, is: rounds * (count * (count - 1) / 2))
        return measurement
    }
}

/// The same with tasks.
package enum TaskWaits {
    /// A detached task that gives a value, and is waited for: once after another.
    package static func spawn(_ trips: Int) throws -> Measurement {
        let sum = Tally()
        let done = DispatchSemaphore(value: 0)
        let span = Span.of {
            Task.detached {
                var total = 0
                for trip in 0..<trips {
                    total &+= await Task.detached { trip }.value
                }
                sum.cell.pointee = total
                done.signal()
            }
            done.wait()
        }
        var measurement = Measurement(span, operations: trips)
        try measurement.check("sum", sum.value, is: trips * (trips - 1) / 2)
        return measurement
    }

    /// A task that reports its progress on a stream: once after another.
    package static func progress(_ trips: Int) throws -> Measurement {
        let (sum, steps) = (Tally(), Tally())
        let done = DispatchSemaphore(value: 0)
        let span = Span.of {
            Task.detached {
                for trip in 0..<trips {
                    let (stream, progress) = AsyncStream.makeStream(of: Double.self)
                    let task = Task.detached {
                        progress.yield(0.5)
                        progress.finish()
                        return trip
                    }
                    for await _ in stream { steps.cell.pointee += 1 }
                    sum.cell.pointee &+= await task.value
                }
                done.signal()
            }
            done.wait()
        }
        var measurement = Measurement(span, operations: trips)
        try measurement.check("sum", sum.value, is: trips * (trips - 1) / 2)
        try measurement.check("progress", steps.value, is: trips)
        return measurement
    }

    /// Tasks that each give a value, gathered in order.
    package static func gather(_ count: Int, rounds: Int) throws -> Measurement {
        let sum = Tally()
        let done = DispatchSemaphore(value: 0)
        let span = Span.of {
            Task.detached {
                var total = 0
                for _ in 0..<rounds {
                    let tasks = (0..<count).map { value in Task { value } }
                    for task in tasks { total &+= await task.value }
                }
                sum.cell.pointee = total
                done.signal()
            }
            done.wait()
        }
        var measurement = Measurement(span, operations: rounds)
        try measurement.check("sum", sum.value, is: rounds * (count * (count - 1) / 2))
        return measurement
    }
}

extension Span {
    /// The time that `body` takes, with the CPU time of the work that it leaves to other threads.
    package static func of(_ body: () -> Void) -> Span {
        let cpu = Clocks.processCPU()
        let wall = Clocks.wall()
        body()
        let end = Clocks.wall()
        return Span(
            wall: Clocks.elapsed(from: wall, to: end),
            cpu: Clocks.elapsed(from: cpu, to: Settle.untilIdle()))
    }
}
