// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Foundation
internal import Rivals
internal import Swivel

/// A thread, or a task, that waits for a value from elsewhere.
enum Waits: Scenario {
    static let name = "wait"
    static let summary = """
        wait for a loop, an Async and an operator, back to back with a processor each and on one \
        processor; and with gaps, next to `loop.execute { signal() }` and a semaphore's wait
        """

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(4_000, quick: 2_000)
        let backToBack = Kind.allCases.flatMap { kind in
            Waiter.allCases.flatMap { waiter in
                [Cores.Placement.apart, .shared].map { placement in
                    contest(kind, waiter, placement, count)
                }
            }
        }
        let gaps = [("50 µs", 50, count / 2), ("1 ms", 1_000, 200), ("5 ms", 5_000, 50)]
        let spaced = gaps.flatMap { name, gap, count in
            Waiter.allCases.flatMap { waiter -> [Contest] in
                let places = plan.isQuick && gap > 1_000 ? [nil] : [Cores.Placement.apart, nil]
                return places.map { placement in
                    let series = WaitSeries(count, gap: UInt64(gap) * 1_000, placement)
                    let shape = "every \(name), \(placement?.rawValue ?? "unpinned")"
                    return spacedContest(shape, series, waiter)
                }
            }
        }
        return backToBack + spaced + [task(count)]
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
    }

    /// The threads that wait.
    private enum Waiter: String, CaseIterable {
        case main = "main thread"
        case plain = "plain thread"

        /// Runs `measure` with the way to such a thread; `nil` is the calling one.
        func run(_ measure: (Turns?) throws -> Measurement) throws -> Measurement {
            try measure(self == .main ? nil : Turns { Thread.detachNewThread($0) })
        }
    }

    private typealias Measurement = BenchKit.Measurement

    private static func contest(
        _ kind: Kind, _ waiter: Waiter, _ placement: Cores.Placement, _ count: Int
    ) -> Contest {
        let series = WaitSeries(count, placement)
        return Contest(
            name, "\(kind.rawValue), \(placement.rawValue), \(waiter.rawValue)",
            subject: Side(kind == .submit ? "Loop" : "Future") {
                try waiter.run { try kind.measure(series, on: $0) }
            },
            rivals: [
                Side(RivalName.queue, WaitSeries.metrics) {
                    let queue =
                        kind == .async ? DispatchQueue.global() : DispatchQueue(label: "rival.wait")
                    return try waiter.run {
                        try DispatchQueues.waits(series, for: queue, from: $0)
                    }
                }
            ] + (kind == .submit && waiter == .main ? nio(series) : []),
            reason: "two threads sleep and are woken per wait")
    }

    private static func spacedContest(
        _ shape: String, _ series: WaitSeries, _ waiter: Waiter
    ) -> Contest {
        Contest(
            name, "submit, \(shape), \(waiter.rawValue)",
            subject: Side("Loop") { try waiter.run { try Kind.submit.measure(series, on: $0) } },
            rivals: [
                Side(RivalName.semaphore, WaitSeries.metrics) {
                    try waiter.run { turns in
                        try Resident.withLoops(1) { loops in
                            let loop = loops[0]
                            return try series.measure(
                                on: turns, DispatchQueues.wait { loop.execute($0) })
                        }
                    }
                }
            ],
            reason: "a wait makes a future; the main thread's keeps its queue working")
    }

    /// NIO's futures cannot be waited for on an event loop.
    private static func nio(_ series: WaitSeries) -> [Side] {
        #if NIO
        return [Side(RivalName.nio, WaitSeries.metrics) { try NIOFutures.waits(series) }]
        #else
        return []
        #endif
    }

    private static func task(_ count: Int) -> Contest {
        let series = WaitSeries(count)
        return Contest(
            name, "Async, task",
            subject: Side("Future") {
                try series.measureInTask { trip in await Async<Int> { trip }.value }
            },
            rivals: [
                Side(RivalName.swiftTask, WaitSeries.metrics) { try SwiftTasks.spawn(series) }
            ],
            reason: "two changes of thread per wait, where tasks have none")
    }
}
