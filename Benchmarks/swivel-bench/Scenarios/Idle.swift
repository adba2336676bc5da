// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// The CPU time of a process that has nothing to do any more.
enum Idle: Scenario {
    static let name = "idle"
    static let summary = "CPU time in the second after waits, pool tasks and round trips"

    static func contests(_ plan: Plan) -> [Contest] {
        let trips = 500
        let second: UInt64 = plan.choose(1_000_000_000, quick: 300_000_000)
        return [
            Contest(
                name, "after a burst",
                subject: Side(Loop.name) {
                    try Resident.withLoops(2) { loops in
                        let near = loops[0]
                        let exchange = RoundTrips.Exchange(near: near, far: loops[1], trips)
                        exchange.run()
                        var sum = 0
                        for trip in 0..<trips {
                            sum &+= near.submit { trip }.await() &+ Async<Int> { trip }.await()
                        }
                        var measurement = rest(second)
                        try measurement.check("trips", exchange.times.count, is: trips)
                        try measurement.check("sum", sum, is: trips * (trips - 1))
                        return measurement
                    }
                },
                rivals: [
                    Side(RivalName.queue, [.core]) {
                        _ = try SerialQueue.roundTrips(trips, nil)
                        let series = WaitSeries(trips)
                        let queue = DispatchQueue(label: "rival.idle")
                        _ = try DispatchQueues.waits(series, for: queue)
                        var last = try DispatchQueues.waits(series, for: .global())
                        last[.core] = rest(second)[.core]
                        return last
                    }
                ], reason: "less than a hundred microseconds a second on both sides, which scatter")
        ]
    }

    /// The share of a core that the process's other threads use while they have nothing to do.
    /// The subject's second begins with its last wait; the rivals' waits have settled before.
    private static func rest(_ nanoseconds: UInt64) -> Measurement {
        let (cpu, wall) = (Clocks.othersCPU(), Clocks.wall())
        Clocks.pause(nanoseconds)
        var measurement = Measurement()
        measurement[.core] =
            100 * Double(Clocks.elapsed(from: cpu, to: Clocks.othersCPU()))
            / Double(Clocks.elapsed(from: wall, to: Clocks.wall()))
        return measurement
    }
}
