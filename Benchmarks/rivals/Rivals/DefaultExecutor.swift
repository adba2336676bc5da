// SPDX-License-Identifier: Apache-2.0

package import BenchKit

/// Swift's own executor: the cooperative pool, and the actors that live there.
package enum DefaultExecutor {
    /// Calls from one actor to another.
    package static func hops(_ count: Int) throws -> Measurement {
        let (near, far) = (Resident(), Resident())
        let (span, visits) = Awaited.time(on: nil) {
            await near.visit(far, times: count)
            return Visits(count: await far.count, sum: await near.sum)
        }
        Cores.release()  // A task may end on another thread than it began on.
        return try visits.measurement(span, count)
    }

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
