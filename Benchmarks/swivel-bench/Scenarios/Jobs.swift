// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// A job from its making to its handlers.
enum Jobs: Scenario {
    static let name = "job"
    static let summary = """
        make, execute and end a job; in the call that executes it, or on the pool, where a task runs
        """

    static func contests(_ plan: Plan) -> [Contest] {
        let series = WaitSeries(plan.choose(20_000, quick: 2_000))
        return [
            Contest(
                name, "with progress", subject: Side("Job") { try progress(series) },
                rivals: [
                    Side(RivalName.swiftTask, WaitSeries.metrics) {
                        try SwiftTasks.progress(series)
                    }
                ], reason: reason),
            Contest(
                name, "without progress", subject: Side("Job") { try plain(series) },
                rivals: [
                    Side(RivalName.swiftTask, WaitSeries.metrics) { try SwiftTasks.spawn(series) }
                ], reason: reason),
            Contest(
                name, "without progress, on the pool",
                subject: Side("Job") { try onPool(series) },
                rivals: [
                    Side(RivalName.swiftTask, WaitSeries.metrics) { try SwiftTasks.spawn(series) }
                ], reason: "two changes of thread a job, where tasks have none"),
        ]
    }

    private static let reason =
        "each function, handler and value is boxed"

    private static func plain(_ series: WaitSeries) throws -> Measurement {
        let value = Tally()
        return try series.measure { trip in
            Job<Int, Never> { succeed, _ in succeed(trip) }
                .onSuccess { value.cell.pointee = $0 }
                .execute()
            return value.value
        }
    }

    /// For a task that waits for the value.
    private static func onPool(_ series: WaitSeries) throws -> Measurement {
        try series.measureInTask { trip in
            let job = Job<Int, Never> { succeed, _ in succeed(trip) }.execute(on: .background)
            return (try? await job.value) ?? -1
        }
    }

    private static func progress(_ series: WaitSeries) throws -> Measurement {
        let (value, steps) = (Tally(), Tally())
        var measurement = try series.measure { trip in
            Job<Int, Never> { succeed, _, progress in
                progress(JobProgress(0.5))
                succeed(trip)
            }
            .onProgress { _ in steps.cell.pointee += 1 }
            .onSuccess { value.cell.pointee = $0 }
            .execute()
            return value.value
        }
        try measurement.check("progress", steps.value, is: series.count)
        return measurement
    }
}
