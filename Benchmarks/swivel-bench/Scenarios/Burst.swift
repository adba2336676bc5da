// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// Many timers that are due when the loop gets to them, as after a long closure.
enum Burst: Scenario {
    static let name = "burst"
    static let summary =
        "fire 100k timers that are all due, up to half a second late, as their loop was busy"

    static func contests(_ plan: Plan) -> [Contest] {
        let table = Delays.near
        let late = Delays(1_000_000..<500_000_000, seed: 5)
        let instant = Delays(50_000_000..<50_000_001, seed: 4)
        let spread = plan.choose([("within 100 ms", table)], quick: [])
        return ([("one instant", instant), ("late", late)] + spread).map { variant, table in
            let offsets = (0..<100_000).map { table.nanoseconds[$0 & table.mask] }
            return contest(variant, offsets, table, plan)
        }
    }

    private static func contest(
        _ variant: String, _ offsets: [Int], _ table: Delays, _ plan: Plan
    ) -> Contest {
        // A quick run has time for those that arm as many in no time.
        let contenders = plan.isQuick ? LineUp.timers.only(RivalName.nio) : LineUp.timers
        let range = offsets.max() ?? 0
        let isOneInstant = range == offsets.min()
        let libuv = Side(RivalName.libuv, [.wall]) {
            try RawUV.burst(offsets.count, delays: table, range: range)
        }
        let children = ChildRival.sides(except: RivalName.tokio, [.cpu, .wall]) {
            try $0.burst(offsets.count, range: isOneInstant ? 0 : range)
        }
        let rivals = contenders.sides([.cpu, .wall], beside: offsets.count) {
            try $0.fire(offsets: offsets, leeway: 0, blocked: true)
        }
        return Contest(
            name, variant,
            subject: Side(Loop.name) {
                try Loop.fire(offsets: offsets, leeway: 0, blocked: true)
            }, rivals: [libuv] + rivals + children)
    }
}

extension TimerContender {
    static func fire(offsets: [Int], leeway: Int, blocked: Bool) throws -> Measurement {
        var measurement = Measurement()
        // The first guess at how long arming takes; it is doubled if it is too short.
        let each = UInt64(max(500, 2 * pairCost(outstanding: 0)))
        var firing = Firing(lead: 30_000_000 + UInt64(offsets.count) * each)
        let (span, fired) = try firing.time(range: UInt64(offsets.max() ?? 0)) {
            let field = try Field<Self>(outstanding: 1_000)
            let handles = Kept<Handle>(offsets.count)
            let countdown = Countdown(offsets.count)
            return (
                arm: { lead in
                    field.turns.run {
                        let start = Clocks.wall() + lead
                        for offset in offsets {
                            handles.append(
                                field.context.at(start + UInt64(offset), leeway: leeway) {
                                    countdown.hit()
                                })
                        }
                    }
                    return countdown
                },
                block: blocked
                    ? { instant in field.context.post { Clocks.pause(until: instant) } } : nil,
                close: {
                    // A source without an owner is no source; the others need no handle.
                    field.turns.run {
                        if !answers, canCancelAll(handles.count) {
                            handles.forEach { _ = field.context.cancel($0) }
                        }
                        handles.removeAll()
                    }
                    try field.close(&measurement)
                }
            )
        }
        measurement[.wall] = Double(span.wall) / Double(offsets.count)
        measurement[.cpu] = Double(span.cpu) / Double(offsets.count)
        try measurement.check("fired", fired, is: offsets.count)
        return measurement
    }
}
