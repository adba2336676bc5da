// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// Many values from a loop in one.
enum Gathering: Scenario {
    static let name = "sequence"
    static let summary = "submit 1,000 closures to a loop, and wait for all of their values"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = 1_000
        let series = WaitSeries(.backToBack, plan.choose(200, quick: 40))
        let metrics: [Metric] = [.cpu, .wall, .sleeps, .preemptions]
        return [
            Contest(
                name, "1,000 submits", subject: Side("Future") { try gather(count, series) },
                rivals: [
                    Side(RivalName.queue, metrics) { try DispatchWaits.gather(count, series) },
                    Side(RivalName.swiftTask, metrics) { try TaskWaits.gather(count, series) },
                ],
                reason: "a future for each value, which the rival keeps in one array by hand")
        ]
    }

    private static func gather(_ count: Int, _ series: WaitSeries) throws -> Measurement {
        try Resident.withLoops(1) { loops in
            let loop = loops[0]
            return try series.measure { trip in
                let values = (0..<count).map { value in loop.submit { value } }.sequence()
                return values.await().reduce(trip - count * (count - 1) / 2, &+)
            }
        }
    }
}
