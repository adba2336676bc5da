// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// A post to another loop, and its reply.
enum RoundTrips: Scenario {
    static let name = "round-trip"
    static let summary = "post to another loop and have it post back"

    static func contests(_ plan: Plan) -> [Contest] {
        [("idle machine", false), ("one busy thread", true)].map { variant, busy in
            let trips = plan.choose(20_000, quick: 5_000)
            return Contest(
                name, variant,
                subject: Side(Loop.sideName) {
                    try beside(busy) { try roundTrips(Loop.self, trips) }
                },
                rivals: [
                    Side(RivalName.backend, [.p50, .p99]) {
                        try beside(busy) { try roundTrips(DispatchBackend.self, trips) }
                    },
                    Side(RivalName.queue, [.p50, .p99]) {
                        try beside(busy) { try DispatchPosts.roundTrips(trips) }
                    },
                    Side(RivalName.libuv, [.p50, .p99]) {
                        try beside(busy) { try RawUV.roundTrips(trips / 5) }
                    },
                ])
        }
    }

    /// Measures with or without a thread that keeps a core busy.
    private static func beside(
        _ busy: Bool, _ measure: () throws -> Measurement
    ) rethrows -> Measurement {
        let thread = busy ? BusyThread() : nil
        defer { thread?.stop() }
        return try measure()
    }

    private static func roundTrips<Context: Contender>(
        _: Context.Type, _ trips: Int
    ) throws -> Measurement {
        let exchange = Exchange(near: try Context.open(), far: try Context.open(), trips)
        exchange.near.post { exchange.send() }
        exchange.done.wait()
        var measurement = exchange.times.measurement
        try measurement.check("trips", exchange.times.count, is: trips)
        try measurement.check("left behind", exchange.near.close() + exchange.far.close(), is: 0)
        return measurement
    }

    private final class Exchange<Context: Contender>: @unchecked Sendable {
        // `@unchecked` because one closure is under way at a time and each follows from another.
        let near: Context
        let far: Context
        let done = DispatchSemaphore(value: 0)
        var times = Lateness()
        private let trips: Int
        private var sentAt: UInt64 = 0

        init(near: Context, far: Context, _ trips: Int) {
            self.near = near
            self.far = far
            self.trips = trips
        }

        func send() {
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
