// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// The cost of a task to its executor: the same program for every executor.
package enum TaskSteps {
    /// One task that yields, and raises a count of its own each time it is back.
    package static func yields(_ count: Int, on executor: (any TaskExecutor)?) throws -> Measurement
    {
        let (span, steps) = Awaited.time(on: executor) {
            var steps = 0
            for _ in 0..<count {
                await Task.yield()
                steps += 1
            }
            return steps
        }
        var measurement = Measurement(span, operations: count)
        try measurement.check("steps", steps, is: count)
        return measurement
    }

    /// Tasks spawned by a thread that is no executor's.
    package static func spawns(_ count: Int, on executor: (any TaskExecutor)?) throws -> Measurement
    {
        let ran = Ran(goal: count)
        Settle.untilIdle()
        let cpu = Clocks.processCPU()
        let wall = Clocks.wall()
        for _ in 0..<count {
            _ = Awaited.start(on: executor) { ran.add() }
        }
        ran.done.wait()
        let wallAtEnd = Clocks.wall()
        let cpuAtEnd = Settle.untilIdle()
        var measurement = Measurement(
            Span(
                wall: Clocks.elapsed(from: wall, to: wallAtEnd),
                cpu: Clocks.elapsed(from: cpu, to: cpuAtEnd)), operations: count)
        try measurement.check("ran", ran.count.load(ordering: .relaxed), is: count)
        return measurement
    }

    private final class Ran: Sendable {
        let count = Atomic(0)
        let done = DispatchSemaphore(value: 0)
        private let goal: Int

        init(goal: Int) { self.goal = goal }

        func add() {
            if count.add(1, ordering: .relaxed).newValue == goal { done.signal() }
        }
    }
}
