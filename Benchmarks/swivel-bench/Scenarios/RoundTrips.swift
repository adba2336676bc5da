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
        [("idle machine", false), ("one busy thread", true)].map { variant, busy in
            let trips = plan.choose(10_000, quick: 5_000)
            let metrics: [Metric] = [.p50, .p99, .cpu, .sleeps, .preemptions]
            return Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try LineUp.subject.roundTrips(trips, besideBusyThread: busy)
                },
                rivals: LineUp.posts.sides(metrics) { rival in
                    try rival.roundTrips(trips, besideBusyThread: busy)
                } + [
                    Side(RivalName.libuv, metrics) {
                        try beside(busy, trips / 5) { try RawUV.roundTrips($0) }
                    }
                ]
                    + ChildRival.sides(metrics, reasons: reasons) { rival in
                        try withBusyThread(busy) { try rival.roundTrips(trips) }
                    },
                reason: busy
                    ? "the two loops' threads share what the busy one leaves"
                    : "a loop that sleeps after all is woken through its descriptor")
        }
    }

    private static let reasons = [
        RivalName.go: "two goroutines share a thread, and the runtime changes between them"
    ]

    /// Measures what opens loops of its own, with or without a thread that keeps a core busy.
    private static func beside(
        _ busy: Bool, _ trips: Int, _ measure: (Int) throws -> Measurement
    ) rethrows -> Measurement {
        var measurement = Measurement()
        let span = try Span.of(besideBusyThread: busy) { measurement = try measure(trips) }
        measurement.add(span, operations: trips)
        return measurement
    }

    /// The same for a child, which tells its own CPU time.
    private static func withBusyThread(
        _ busy: Bool, _ measure: () throws -> Measurement
    ) rethrows -> Measurement {
        let thread = busy ? BusyThread() : nil
        defer { thread?.stop() }
        return try measure()
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
    static func roundTrips(_ trips: Int, besideBusyThread busy: Bool) throws -> Measurement {
        let exchange = RoundTrips.Exchange(near: try Self.open(), far: try Self.open(), trips)
        let span = Span.of(besideBusyThread: busy) { exchange.run() }
        var measurement = exchange.times.measurement
        measurement.add(span, operations: trips)
        try measurement.check("trips", exchange.times.count, is: trips)
        try measurement.check("left behind", exchange.near.close() + exchange.far.close(), is: 0)
        return measurement
    }
}
