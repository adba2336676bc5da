// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Many timers that are due when the loop gets to them, as after a long closure.
enum Burst: Scenario {
    static let name = "burst"
    static let summary = "fire 100k timers that are all due, after their loop was busy"

    static func contests(_ plan: Plan) -> [Contest] {
        let table = Delays.near
        let many = (0..<100_000).map { table.nanoseconds[$0 & table.mask] }
        let instant = Delays(50_000_000..<50_000_001, seed: 4)
        return [
            contest("within 100 ms", many, table, plan),
            contest("one instant", many.map { _ in instant.nanoseconds[0] }, instant, plan),
        ]
    }

    private static func contest(
        _ variant: String, _ offsets: [Int], _ table: Delays, _ plan: Plan
    ) -> Contest {
        // Arming as many takes Dispatch too long for a quick run.
        let dispatch = [
            Side(RivalName.backend, [.cpu]) { try fire(DispatchBackend.self, offsets) },
            Side(RivalName.source, [.cpu]) {
                try DispatchFiring.fire(offsets: offsets, leeway: 0, blocked: true)
            },
        ]
        return Contest(
            name, variant,
            subject: Side(Loop.sideName) { try fire(Loop.self, offsets) },
            rivals: [
                Side(RivalName.libuv, [.wall]) {
                    try RawUV.burst(
                        offsets.count, delays: table, range: offsets.max() ?? 0)
                }
            ] + plan.choose(dispatch, quick: []))
    }

    private static func fire<Context: Contender>(
        _ context: Context.Type, _ offsets: [Int]
    ) throws -> Measurement {
        try Armed.fire(
            context, offsets: offsets, leeway: .zero, blocked: true,
            lead: Armed.lead(Context.sideName, count: offsets.count))
    }
}
