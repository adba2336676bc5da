// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// Threads that wait for futures.
enum FutureWaits: Scenario {
    static let name = "future-wait"
    static let summary = "wait for a loop, an Async, an operator, a job; gather 1,000 values"

    static func contests(_ plan: Plan) -> [Contest] {
        let trips = plan.choose(20_000, quick: 800)
        let rounds = plan.choose(200, quick: 10)
        return [
            Contest(
                name, "hand-over",
                subject: Side("Future") { try handOver(trips) },
                rivals: [
                    Side(RivalName.queue, [.cpu, .wall]) {
                        try DispatchWaits.handOver(trips, to: DispatchQueue(label: "hand-over"))
                    }
                ]),
            Contest(
                name, "Async",
                subject: Side("Future") { try spawn(trips) },
                rivals: [
                    Side(RivalName.queue, [.cpu, .wall]) {
                        try DispatchWaits.handOver(trips, to: .global())
                    },
                    Side(RivalName.swiftTask, [.cpu, .wall]) { try TaskWaits.spawn(trips) },
                ]),
            Contest(
                name, "operator",
                subject: Side("<<~") { try operators(trips) },
                rivals: [
                    Side(RivalName.queue, [.cpu, .wall]) {
                        try DispatchWaits.handOver(trips, to: DispatchQueue(label: "operator"))
                    }
                ]),
            Contest(
                name, "job with progress",
                subject: Side("Job") { try jobs(trips) },
                rivals: [
                    Side(RivalName.swiftTask, [.cpu, .wall]) { try TaskWaits.progress(trips) }
                ]),
            Contest(
                name, "sequence of 1,000",
                subject: Side("Future") { try gather(1_000, rounds: rounds) },
                rivals: [
                    Side(RivalName.queue, [.cpu, .wall]) {
                        try DispatchWaits.gather(1_000, rounds: rounds)
                    },
                    Side(RivalName.swiftTask, [.cpu, .wall]) {
                        try TaskWaits.gather(1_000, rounds: rounds)
                    },
                ]),
        ]
    }

    private static func handOver(_ trips: Int) throws -> Measurement {
        let loop = try Loop()
        var sum = 0
        let span = Span.of {
            for trip in 0..<trips { sum &+= loop.submit { trip }.await() }
        }
        loop.shutdown()
        var measurement = Measurement(span, operations: trips)
        try measurement.check("sum", sum, is: trips * (trips - 1) / 2)
        return measurement
    }

    private static func spawn(_ trips: Int) throws -> Measurement {
        var sum = 0
        let span = Span.of {
            for trip in 0..<trips { sum &+= Async<Int> { trip }.await() }
        }
        var measurement = Measurement(span, operations: trips)
        try measurement.check("sum", sum, is: trips * (trips - 1) / 2)
        return measurement
    }

    private static func operators(_ trips: Int) throws -> Measurement {
        let loop = try Loop()
        var sum = 0
        let span = Span.of {
            for trip in 0..<trips {
                let answer: Int = <<~loop ~~~ { handler in handler(trip) }
                sum &+= answer
            }
        }
        loop.shutdown()
        var measurement = Measurement(span, operations: trips)
        try measurement.check("sum", sum, is: trips * (trips - 1) / 2)
        return measurement
    }

    private static func jobs(_ trips: Int) throws -> Measurement {
        let (sum, steps) = (Tally(), Tally())
        let span = Span.of {
            for trip in 0..<trips {
                Job<Int, Never> { succeed, _, progress in
                    progress(JobProgress(0.5))
                    succeed(trip)
                }
                .onProgress { _ in steps.cell.pointee += 1 }
                .onSuccess { sum.cell.pointee &+= $0 }
                .execute()
            }
        }
        var measurement = Measurement(span, operations: trips)
        try measurement.check("sum", sum.value, is: trips * (trips - 1) / 2)
        try measurement.check("progress", steps.value, is: trips)
        return measurement
    }

    private static func gather(_ count: Int, rounds: Int) throws -> Measurement {
        var sum = 0
        let loop = try Loop()
        let span = Span.of {
            for _ in 0..<rounds {
                let values = (0..<count).map { value in loop.submit { value } }.sequence()
                sum &+= values.await().reduce(0, &+)
            }
        }
        loop.shutdown()
        var measurement = Measurement(span, operations: rounds)
        try measurement.check("sum", sum, is: rounds * (count * (count - 1) / 2))
        return measurement
    }
}
