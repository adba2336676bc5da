// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// A post to another loop, and its reply.
enum RoundTrips: Scenario {
    static let name = "round-trip"
    static let summary = "post to another loop and have it post back"

    static func contests(_ plan: Plan) -> [Contest] {
        let trips = plan.choose(10_000, quick: 5_000)
        let metrics: [Metric] = [.p50, .p99, .cpu]
        return [Cores.Placement.apart, .shared].map { placement in
            Contest(
                name, placement.rawValue,
                subject: Side(Loop.name) { try Loop.roundTrips(trips, placement) },
                rivals: LineUp.posts.sides(metrics) { try $0.roundTrips(trips, placement) },
                reason: "two loops on one processor sleep and are woken in turn")
        }
    }

    final class Exchange<Context: Contender>: @unchecked Sendable {
        // `@unchecked` because one closure is under way at a time and each follows from another.
        let near: Context
        let far: Context
        private(set) var times = Lateness()
        private let done = DispatchSemaphore(value: 0)
        private let trips: Int
        private var sentAt: UInt64 = 0

        init(near: Context, far: Context, _ trips: Int) {
            self.near = near
            self.far = far
            self.trips = trips
        }

        func run() {
            near.post { self.send() }
            done.wait()
        }

        private func send() {
            sentAt = Clocks.wall()
            far.post { self.answer() }
        }

        private func answer() { near.post { self.receive() } }

        private func receive() {
            times.record(Int64(Clocks.elapsed(from: sentAt, to: Clocks.wall())))
            if times.count == trips { done.signal() } else { send() }
        }
    }
}

extension Contender {
    static func roundTrips(_ trips: Int, _ placement: Cores.Placement?) throws -> Measurement {
        let exchange = RoundTrips.Exchange(
            near: try open(on: placement.flatMap { _ in Cores.processor(0) }),
            far: try open(on: placement.flatMap { Cores.processor($0 == .apart ? 1 : 0) }), trips)
        // Threads that cannot be pinned share the one processor, too.
        if placement == .shared { Cores.place(.shared) }
        let span = Span.of { exchange.run() }
        Cores.release()
        var measurement = exchange.times.measurement
        measurement.add(span, operations: trips)
        try measurement.check("trips", exchange.times.count, is: trips)
        try measurement.check("left behind", exchange.near.close() + exchange.far.close(), is: 0)
        return measurement
    }
}
