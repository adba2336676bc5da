// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SwivelCore
internal import SwivelSchedules
internal import Synchronization

/// Prints how many empty ticks one process and four fire in a second, and what an idle process with
/// 10,000 schedules costs. The database is that of libpq's variables.
///
/// `load work SECONDS` is such a process.
@main
enum Load {
    static let store = ScheduleStore.postgreSQL()

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        if words.first == "work" {
            try await work(for: .seconds(Double(words.last ?? "") ?? 5))
            return
        }
        try await store.migrate()
        for (job, mode) in [
            ("locked", "exactly once, 100 to a transaction"),
            ("alone", "exactly once, a transaction each"), ("leased", "at least once"),
        ] {
            for processes in [1, 4] {
                let rate = try await rate(of: job, processes)
                print("\(mode), \(processes) process(es): \(Int(rate)) ticks per second")
            }
        }
        let share = try await idleShare()
        print(String(format: "idle, 10,000 schedules: %.3f %% of a core", share * 100))
    }

    /// Ticks that were due in the past, of as many schedules as keep the processes busy.
    private static func rate(of job: String, _ processes: Int) async throws -> Double {
        let schedules = (0..<1_000).map { number in
            var schedule = Schedule(
                "load \(number)", job: job, .every(.milliseconds(10), startingAt: .now - 3_600))
            schedule.missed = .all
            return schedule
        }
        try await store.set(schedules)
        let workers = try (0..<processes).map { _ in
            let process = Process()
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = ["work", "8"]
            try process.run()
            return process
        }
        try await Task.sleep(for: .seconds(2))
        let (before, start) = (try await ticks(), ContinuousClock.now)
        try await Task.sleep(for: .seconds(5))
        let (after, time) = (try await ticks(), ContinuousClock.now - start)
        for worker in workers { worker.waitUntilExit() }
        for schedule in schedules { try await store.remove(schedule.name) }
        return Double(after - before) / (time / .seconds(1))
    }

    private static func ticks() async throws -> Int64 {
        try await store.list().reduce(0) { $0 + $1.number }
    }

    private static func work(for time: Duration) async throws {
        var runner = ScheduleRunner(store)
        runner.exactlyOnce("locked", batch: 100) { _, _ in }
        runner.exactlyOnce("alone") { _, _ in }
        runner.atLeastOnce("leased") { _ in }
        runner.concurrency = 200
        let task = Task { [runner] in try await runner.run() }
        try await Task.sleep(for: time)
        task.cancel()
        try await task.value
    }

    private static func idleShare() async throws -> Double {
        try await store.set(
            (0..<10_000).map { Schedule("idle \($0)", job: "locked", .every(.seconds(86_400))) })
        let worker = Task { try await work(for: .seconds(12)) }
        try await Task.sleep(for: .seconds(2))
        let before = processorTime()
        try await Task.sleep(for: .seconds(10))
        let used = processorTime() - before
        try await worker.value
        return used / 10
    }

    /// Seconds of this process.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
