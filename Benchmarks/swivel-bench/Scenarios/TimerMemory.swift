// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// The memory that an armed timer holds.
enum TimerMemory: Scenario {
    static let name = "memory"
    static let summary =
        "private memory for each outstanding timer, without captures and with; a handle that a "
        + "program keeps to cancel it counts in the row with handles alone, but a libuv timer is its "
        + "handle: there is none without"

    static func contests(_ plan: Plan) -> [Contest] {
        let sizes = [("100k", 100_000)] + (plan.isQuick ? [] : [("1M", 1_000_000)])
        return [connections(plan)]
            + sizes.map { variant, count in
                timers(variant, count, plan, .standing, [libuv(count)])
            } + [
                timers("100k, with handles", 100_000, plan, .withHandles, [libuv(100_000)]),
                timers("100k, capturing", 100_000, plan, .ofAnHour(elsewhere: false)),
            ]
    }

    private static func libuv(_ count: Int) -> Side {
        Side(RivalName.libuv, [.bytes]) { try RawUV.standing(count) }
    }

    private static func timers(
        _ variant: String, _ count: Int, _ plan: Plan, _ timeouts: Timeouts, _ more: [Side] = []
    ) -> Contest {
        let fewer = fewer(count, plan)
        return Contest(
            name, variant,
            subject: Side(Loop.name) { try Loop.memory(count, of: timeouts) },
            rivals: LineUp.timers.sides([.bytes], beside: fewer) {
                try $0.memory($0.canCancelAll(fewer) ? fewer : 20_000, of: timeouts)
            } + more,
            reason: "a timer takes a cache line of its own, and its closure's context more")
    }

    /// A source needs the same however many there are; a quick run makes fewer.
    private static func fewer(_ count: Int, _ plan: Plan) -> Int {
        plan.choose(count, quick: 20_000)
    }

    private static let count = IdleTimeouts.connections

    /// The memory of a connection that is watched, beside that of one with a timer of its own. No
    /// handle counts but libuv's, which is the timer.
    private static func connections(_ plan: Plan) -> Contest {
        let fewer = fewer(count, plan)
        let subject = Side(Loop.name) { try FreshTrackers.memory(count) }
        return Contest(
            name, "idle connections", subject: subject,
            rivals: LineUp.timers.filter { $0.canCancelAll(count) }.sides([.bytes]) {
                try $0.memory(fewer, of: .standing)
            } + [libuv(count)])
    }
}
