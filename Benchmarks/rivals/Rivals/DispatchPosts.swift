// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// Closures handed to a serial queue by hand.
package enum DispatchPosts {
    /// `producers` threads hand `each` closures over.
    package static func posts(
        producers: Int, each: Int, capturing: Bool
    ) throws -> Measurement {
        let queue = DispatchQueue(label: "rival.dispatch")
        let sum = Tally()
        let last = DispatchSemaphore(value: 0)
        _ = PlainCount.take()
        let span = Producers.time(producers) { _ in
            if capturing {
                for index in 0..<each { queue.async { sum.cell.pointee &+= index } }
            } else {
                for _ in 0..<each { queue.async { PlainCount.raise() } }
            }
            queue.async { last.signal() }
        } drained: {
            for _ in 0..<producers { last.wait() }
        }
        var measurement = Measurement(span, operations: producers * each)
        if capturing {
            try measurement.check(
                "sum", queue.sync { sum.value }, is: producers * (each * (each - 1) / 2))
        } else {
            try measurement.check(
                "ran", queue.sync { PlainCount.take() }, is: producers * each)
        }
        return measurement
    }

    /// Two serial queues that answer each other.
    package static func roundTrips(_ trips: Int) throws -> Measurement {
        let exchange = Exchange(trips)
        exchange.near.async { exchange.send() }
        exchange.done.wait()
        var measurement = exchange.near.sync { exchange.times.measurement }
        try measurement.check("trips", exchange.near.sync { exchange.times.count }, is: trips)
        return measurement
    }

    private final class Exchange: @unchecked Sendable {
        // `@unchecked` because one closure is under way at a time and each follows from another.
        let near = DispatchQueue(label: "rival.near")
        let far = DispatchQueue(label: "rival.far")
        let done = DispatchSemaphore(value: 0)
        var times = Lateness()
        private let trips: Int
        private var sentAt: UInt64 = 0

        init(_ trips: Int) { self.trips = trips }

        func send() {
            sentAt = Clocks.wall()
            far.async { self.answer() }
        }

        private func answer() { near.async { self.receive() } }

        private func receive() {
            times.record(Int64(Clocks.elapsed(from: sentAt, to: Clocks.wall())))
            if times.count == trips { done.signal() } else { send() }
        }
    }
}
