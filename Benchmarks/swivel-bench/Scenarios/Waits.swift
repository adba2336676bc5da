// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// A thread, or a task, that waits for a value from elsewhere.
enum Waits: Scenario {
    static let name = "wait"
    static let summary = "wait for a loop, an Async and an operator, in a thread and in a task"

    static func contests(_ plan: Plan) -> [Contest] {
        let threads = Kind.allCases.flatMap { kind in
            WaitSeries.Setting.allCases.flatMap { setting in
                Waiter.allCases.compactMap { waiter in
                    plan.isQuick && setting != .backToBack && waiter != .main
                        ? nil : contest(kind, setting, waiter, plan)
                }
            }
        }
        let settings = plan.isBrief ? [.backToBack] : WaitSeries.Setting.allCases
        return threads + settings.map { task($0, plan) }
    }

    /// The work that gives the value.
    private enum Kind: String, CaseIterable {
        case submit, async = "Async", handler = "operator"

        func measure(_ series: WaitSeries, on turns: Turns?) throws -> Measurement {
            if self == .async {
                return try series.measure(on: turns) { trip in Async<Int> { trip }.await() }
            }
            return try Resident.withLoops(1) { loops in
                let loop = loops[0]
                return try self == .submit
                    ? series.measure(on: turns) { trip in loop.submit { trip }.await() }
                    : series.measure(on: turns) { trip in
                        <<~loop ~~~ { handler in handler(trip) }
                    }
            }
        }

        /// The queue that stands in the place of the loop or the pool.
        var queue: DispatchQueue { self == .async ? .global() : DispatchQueue(label: "rival.wait") }
    }

    private static func contest(
        _ kind: Kind, _ setting: WaitSeries.Setting, _ waiter: Waiter, _ plan: Plan
    ) -> Contest {
        let series = series(setting, plan)
        let queue = Side(RivalName.queue, series.metrics) {
            try DispatchWaits.handOver(series, to: kind.queue, from: waiter.ofDispatch)
        }
        return Contest(
            name, "\(kind.rawValue), \(setting.rawValue), \(waiter.rawValue)",
            subject: Side(kind == .submit ? "Loop" : "Future") {
                try waiter.withSwivel { try kind.measure(series, on: $0) }
            },
            rivals: [queue] + (kind == .submit ? packages(series, waiter) : [])
                + (kind == .submit && waiter == .main ? floors(setting, series) : []),
            reason: reason(setting))
    }

    /// NIO's futures refuse to be waited for on an event loop, which is where a loop would wait.
    private static func packages(_ series: WaitSeries, _ waiter: Waiter) -> [Side] {
        #if NIO
        guard waiter != .loop else { return [] }
        return [
            Side(RivalName.nio, series.metrics) {
                try NIOFutures.waits(series, on: waiter.ofDispatch)
            }
        ]
        #else
        return []
        #endif
    }

    private static func task(_ setting: WaitSeries.Setting, _ plan: Plan) -> Contest {
        let series = series(setting, plan)
        return Contest(
            name, "Async, \(setting.rawValue), task",
            subject: Side("Future") {
                try series.measureInTask { trip in await Async<Int> { trip }.value }
            },
            rivals: [
                Side(RivalName.swiftTask, series.metrics) { try TaskWaits.spawn(series) }
            ],
            reason: "two changes of thread a wait; a task's own tasks run on its thread")
    }

    private static func series(_ setting: WaitSeries.Setting, _ plan: Plan) -> WaitSeries {
        let few = plan.isBrief ? 30 : plan.choose(100, quick: 50)
        return WaitSeries(setting, setting == .spaced ? few : plan.isBrief ? 2_000 : 4_000)
    }

    /// The best that the machine allows. Two threads that look beside a busy one on two cores would
    /// measure the scheduler's slices.
    private static func floors(
        _ setting: WaitSeries.Setting, _ series: WaitSeries
    ) -> [Side] {
        let futex = Side(
            Yardstick.futex, series.metrics,
            reason: "a floor, and no rival: two threads and two futexes, no loop, no closure"
        ) { try BareThreads.handOver(series, looking: false) }
        let looking = Side(
            Yardstick.looking, series.metrics,
            reason: "a floor, and no rival: two threads that never sleep, no loop, no closure"
        ) { try BareThreads.handOver(series, looking: true) }
        return setting == .backToBack ? [futex, looking] : [futex]
    }

    private static func reason(_ setting: WaitSeries.Setting) -> String {
        switch setting {
        case .backToBack:
            "two threads sleep and are woken a wait; the rival's share a processor or never sleep"
        case .spaced:
            "two wake-ups of processors that have gone idle; nobody looks for so long"
        case .besideBusy:
            "the thread that waits and the one that answers share what the busy one leaves"
        }
    }
}
