// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// A value handed from step to step, by tasks that each wait for the one before.
package enum TaskChains {
    /// Chains of `length` tasks, one after the other, from one task.
    package static func maps(_ length: Int, chains: Int) throws -> Measurement {
        try ChainSum.measure(length, chains: chains) { chains in
            let sum = Tally()
            Awaited.run(on: nil) {
                var total = 0
                for chain in 0..<chains {
                    var task = Task { chain }
                    for step in 0..<length {
                        let previous = task
                        task = Task { await previous.value &+ step }
                    }
                    total &+= await task.value
                }
                sum.cell.pointee = total
            }
            return sum.value
        }
    }

    /// Calls to the allocator, and instructions, for each task of a long chain.
    package static func counts() throws -> Measurement {
        let length = 1_000
        let sum = Tally()
        let done = DispatchSemaphore(value: 0)
        Settle.untilIdle()
        let counting = Counting()
        counting.begin()
        Task.detached {
            var task = Task { 0 }
            for step in 0..<length {
                let previous = task
                task = Task { await previous.value &+ step }
            }
            sum.cell.pointee = await task.value
            done.signal()
        }
        done.wait()
        counting.end()
        var measurement = Measurement()
        counting.add(to: &measurement, operations: length)
        try measurement.check("sum", sum.value, is: length * (length - 1) / 2)
        return measurement
    }
}

/// A value handed from step to step, by blocks on one serial queue.
package enum DispatchChains {
    /// Chains of `length` blocks, each of which submits the next.
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
}

/// The sum of the values of all chains.
package enum ChainSum {
    /// Each chain begins with its number, and each step adds its own.
    package static func of(_ length: Int, chains: Int) -> Int {
        chains * (chains - 1) / 2 + chains * (length * (length - 1) / 2)
    }

    /// Times chains, after a tenth as many that do not count: the same for every side.
    ///
    /// - Parameter run: runs this many chains, and returns the sum of their values.
    package static func measure(
        _ length: Int, chains: Int, _ run: (Int) -> Int
    ) throws -> Measurement {
        let warmUp = chains / 10 + 1
        var sum = run(warmUp)
        let span = Span.of { sum &+= run(chains) }
        var measurement = Measurement(span, operations: chains)
        try measurement.check(
            "sum", sum, is: of(length, chains: warmUp) + of(length, chains: chains))
        return measurement
    }
}
