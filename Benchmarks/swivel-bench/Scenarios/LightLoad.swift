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
        let count = plan.isBrief ? 30 : plan.choose(400, quick: 50)
        // The tail of so few is one timer: the curves tell of it, with more.
        let metrics: [Metric] = [.p50, .early]
        let subject = Side(Loop.name) { try Loop.lateness(count) }
        let light = Contest(
            name, "light load", subject: subject,
            rivals: LineUp.timers.sides(metrics) { try $0.lateness(count) } + [
                Side(RivalName.libuv, metrics) {
                    try RawUV.lateness(count: count, outstanding: 1_000)
                }
            ]
                + ChildRival.sides(metrics) {
                    try $0.lateness(count: count, outstanding: 1_000)
                })
        let keepers = Contest(
            name, "light load", subject: subject,
            rivals: LineUp.keepers.sides(metrics) { try $0.lateness(count) } + [
                Side(RivalName.task, metrics) {
                    try TaskSleeps.lateness(count: count, outstanding: 1_000)
                }
            ], leavesTimersBehind: true)
        let polling = Contest(
            name, "busy poll",
            subject: Side(Loop.name) {
                let loop = try Loop(Loop.Configuration(busyPoll: .milliseconds(4)))
                return try Loop.lateness(Field(loop, outstanding: 1_000), count)
            },
            rivals: [Side(RivalName.source, metrics) { try TimerSources.lateness(count) }])
        return plan.choose([light, polling, keepers], quick: [light]) + [youth(plan)]
    }

    /// The first second of a loop's life, in which it learns the rate of the processor's counter.
    private static func youth(_ plan: Plan) -> Contest {
        let count = plan.isBrief ? 100 : 500
        return Contest(
            name, "a loop's first second",
            subject: Side(Loop.name) {
                try Loop.lateness(Field(try Loop.open(), outstanding: 0, age: 0), count)
            },
            rivals: [
                Side(RivalName.backend, [.early]) { try DispatchBackend.lateness(count) }
            ])
    }
}

extension TimerContender {
    static func lateness(_ count: Int) throws -> Measurement {
        try lateness(Field<Self>(outstanding: 1_000), count)
    }

    /// One timer after the other, each armed when the one before it fired.
    static func lateness(_ field: Field<Self>, _ count: Int) throws -> Measurement {
        let chain = Chain(count)
        let context = field.context
        // A source lives as long as its handle.
        let last = Latest<Handle>()
        @Sendable func arm(_ due: UInt64) {
            last.handle = context.at(due, leeway: 0) {
                if let next = chain.fired() { arm(next) }
            }
        }
        field.turns.run { arm(chain.start()) }
        chain.wait()
        var measurement = chain.lateness.measurement
        try measurement.check("fired", chain.lateness.count, is: count)
        field.turns.run {
            if !answers, let handle = last.handle { _ = context.cancel(handle) }
            last.handle = nil
        }
        try field.close(&measurement)
        return measurement
    }
}

/// The handle of the timer under way.
final class Latest<Handle>: @unchecked Sendable {
    // `@unchecked` because closures of one loop or serial queue alone use it.
    var handle: Handle?

    @inline(__always)
    func move(_ body: (inout Handle) -> Void) {
        guard var moved = handle.take() else { return }
        body(&moved)
        handle = moved
    }
}
