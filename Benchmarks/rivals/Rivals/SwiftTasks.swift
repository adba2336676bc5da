// SPDX-License-Identifier: Apache-2.0
package import BenchKit
internal import Dispatch

/// Swift's own tasks, actors and sleeps.
package enum SwiftTasks {
    /// Chains of `length` tasks, one after the other, from one task.
    package static func maps(_ length: Int, chains: Int) throws -> Measurement {
        try ChainSum.measure(length, chains: chains) { chains in
            Awaited.run(on: nil) {
                var total = 0
                for chain in 0..<chains {
                    total &+= await Self.chain(from: chain, length).value
                }
                return total
            }
        }
    }

    private static func chain(from value: Int, _ length: Int) -> Task<Int, Never> {
        var task = Task { value }
        for step in 0..<length {
            let previous = task
            task = Task { await previous.value &+ step }
        }
        return task
    }

    /// Calls to the allocator for each task of a long chain.
    package static func allocations() throws -> Measurement {
        let length = 1_000
        Settle.untilIdle()
        let counting = Counting()
        counting.begin()
        let sum = Awaited.run(on: nil) { await chain(from: 0, length).value }
        counting.end()
        var measurement = Measurement()
        counting.add(to: &measurement, operations: length)
        try measurement.check("sum", sum, is: length * (length - 1) / 2)
        return measurement
    }

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

    /// One task that yields, and raises a count of its own each time it is back.
    package static func yields(_ count: Int) throws -> Measurement {
        let (span, steps) = Awaited.time(on: nil) {
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

    /// Sleeps of an hour, begun and cancelled a thousand at a time.
    package static var sleeps: SleepPairs {
        SleepPairs(on: nil) { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// Calls from one actor to another on the cooperative pool.
    package static func hops(_ count: Int) throws -> Measurement {
        let (near, far) = (Resident(), Resident())
        let (span, visits) = Awaited.time(on: nil) {
            await near.visit(far, times: count)
            return Visits(count: await far.count, sum: await near.sum)
        }
        Cores.release()  // A task may end on another thread than it began on.
        return try visits.measurement(span, count)
    }

    /// Calls from a task to an actor on the cooperative pool.
    package static func calls(_ count: Int) throws -> Measurement {
        let far = Resident()
        let (span, visits) = Awaited.time(on: nil) {
            var sum = 0
            for _ in 0..<count { Visits.add(await far.receive(), to: &sum) }
            return Visits(count: await far.count, sum: sum)
        }
        return try visits.measurement(span, count)
    }

    private actor Resident {
        private(set) var count = 0
        private(set) var sum = 0

        func receive() -> Int {
            count &+= 1
            return count
        }

        func visit(_ other: Resident, times: Int) async {
            Cores.stay()
            for _ in 0..<times { sum &+= await other.receive() }
        }
    }
}

/// The sum of the values of all chains.
package enum ChainSum {
    /// Times chains, after a tenth as many that do not count: the same for every side. Each chain
    /// begins with its number, and each step adds its own.
    ///
    /// - Parameter run: runs this many chains, and returns the sum of their values.
    package static func measure(
        _ length: Int, chains: Int, _ run: (Int) -> Int
    ) throws -> Measurement {
        func sum(_ chains: Int) -> Int {
            chains * (chains - 1) / 2 + chains * (length * (length - 1) / 2)
        }
        let warmUp = chains / 10 + 1
        var found = run(warmUp)
        let span = Span.of { found &+= run(chains) }
        var measurement = Measurement(span, operations: chains)
        try measurement.check("sum", found, is: sum(warmUp) + sum(chains))
        return measurement
    }
}
