// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// How late one timer at a time is, counted from its scheduled instant.
enum LightLoad: Scenario {
    static let name = "lateness"
    static let summary = "how late single timers of 1 to 3 ms fire, and how many fire early"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(400, quick: 50)
        let metrics: [Metric] = [.p50, .p99, .early]
        let subject = Side(Loop.sideName) {
            try lateness(Field<Loop>(outstanding: 1_000), count)
        }
        let source = Side(RivalName.source, metrics) {
            try DispatchFiring.lateness(count: count, outstanding: 1_000)
        }
        let light = Contest(
            name, "light load", subject: subject,
            rivals: [
                Side(RivalName.backend, metrics) {
                    try lateness(Field<DispatchBackend>(outstanding: 1_000), count)
                },
                source,
                Side(RivalName.libuv, metrics) {
                    try RawUV.lateness(count: count, outstanding: 1_000)
                },
            ])
        let keepers = Contest(
            name, "light load", subject: subject,
            rivals: [
                Side(RivalName.asyncAfter, metrics) {
                    try DispatchFiring.asyncAfterLateness(count: count, outstanding: 1_000)
                },
                Side(RivalName.task, metrics) {
                    try TaskSleeps.lateness(count: count, outstanding: 1_000)
                },
            ], leavesTimersBehind: true)
        let polling = Contest(
            name, "busy poll",
            subject: Side(Loop.sideName) {
                let loop = try Loop(Loop.Configuration(busyPoll: .milliseconds(4)))
                return try lateness(Field(loop, outstanding: 1_000), count)
            },
            rivals: [source])
        return plan.choose([light, polling, keepers], quick: [light])
    }

    private static func lateness<Context: Contender>(
        _ field: Field<Context>, _ count: Int
    ) throws -> Measurement {
        let chain = Chain(count)
        let context = field.context
        @Sendable func arm(_ delay: Int) {
            _ = context.after(.nanoseconds(delay)) {
                if let next = chain.fired() { arm(next) }
            }
        }
        field.turns.run { arm(chain.start()) }
        chain.wait()
        var measurement = chain.lateness.measurement
        try measurement.check("fired", chain.lateness.count, is: count)
        try field.close(&measurement)
        return measurement
    }
}
