// SPDX-License-Identifier: Apache-2.0
import Swivel
import SwivelSimulation
import Testing

/// What Swivel promises holds in every order, with a cancellation at a random suspension, and with
/// random delays.
@Suite struct LibraryTests {
    enum Part: CaseIterable { case futures, jobs, timeouts, limits, sleeps, once }

    @Test(arguments: Part.allCases) func holdsWithCancellations(_ part: Part) async throws {
        let exploration = try await simulate(seeds: 2_000, .cancelling) {
            try await Self.check(part)
        }
        #expect(exploration.distinctTraces > 100, "\(part): \(exploration)")
    }

    @Test(arguments: Part.allCases) func holdsWithDelays(_ part: Part) async throws {
        try await simulate(seeds: 500, .cancelling, .delays(upTo: .milliseconds(50))) {
            try await Self.check(part, isDelayed: true)
        }
    }

    /// Throws if something is broken.
    private static func check(_ part: Part, isDelayed: Bool = false) async throws {
        switch part {
        case .futures: try await futures()
        case .jobs: try await jobs()
        case .timeouts: try await timeouts(isDelayed)
        case .limits: try await limits()
        case .sleeps: try await sleeps()
        case .once: try await once(isDelayed)
        }
    }

    private struct Broken: Error, CustomStringConvertible { let description: String }

    private static func hold(_ what: Bool, _ text: @autoclosure () -> String) throws {
        if !what { throw Broken(description: text()) }
    }

    /// Each callback runs once, those of one context in order, and tasks that wait get the value.
    private static func futures() async throws {
        let promise = Promise<Int, Never>()
        let loop = try Loop()
        let seen = Box<[Int]>([])
        for number in 0..<3 {
            promise.future.onSuccess(on: loop) { value in seen.value.append(number * 10 + value) }
        }
        let waiters = (0..<3).map { _ in
            Task { () -> Int in await promise.future.map { $0 + 1 }.value }
        }
        let completers = (0..<2).map { number in Task { promise.trySucceed(number) } }
        var wins = 0
        for completer in completers where await completer.value { wins += 1 }
        try hold(wins == 1, "completed \(wins) times")
        let value = await promise.future.value
        for waiter in waiters {
            let got = await waiter.value
            try hold(got == value + 1, "a waiter got \(got), not \(value + 1)")
        }
        await loop.shutdown(.drain(within: .seconds(1)))
        try hold(seen.value == [value, 10 + value, 20 + value], "callbacks \(seen.value)")
    }

    /// A job ends once, and its handlers see one end, cancelled or not.
    private static func jobs() async throws {
        let ends = Box<[String]>([])
        let job = Job<Int, any Error>(async: { report in
            for step in 1...3 {
                try await Task.sleep(for: .milliseconds(1))
                report(JobProgress(Double(step) / 3))
            }
            return 7
        })
        job.onComplete { _ in ends.value.append("complete") }
        job.onCancel { ends.value.append("cancel") }
        job.execute()
        let canceller = Task {
            try await Task.sleep(for: .milliseconds(2))
            job.cancel()
        }
        let reader = Task { try await job.value }
        let result = await reader.result
        _ = await canceller.result
        await Task.yield()
        if case .success = result {
            try hold(ends.value == ["complete"], "\(ends.value) with \(result)")
        }
        try hold(ends.value.count <= 1, "ends \(ends.value)")
    }

    /// A limit ends what it limits, exactly then, and a result that came before it is kept.
    private static func timeouts(_ isDelayed: Bool) async throws {
        let began = World.elapsed
        let tasks = (1...3).map { number in
            Task { () -> String in
                do {
                    return try await withTimeout(.milliseconds(20)) {
                        try await Task.sleep(for: .milliseconds(number * 10))
                        return "value"
                    }
                } catch is CancellationError {
                    return "cancelled"
                } catch {
                    return "timeout"
                }
            }
        }
        let nested = Task { () -> String in
            do {
                return try await withDeadline(in: .milliseconds(40)) {
                    try await withDeadline(in: .milliseconds(15)) {
                        try await Task.sleep(for: .seconds(60))
                        return "value"
                    }
                }
            } catch { return "deadline" }
        }
        let results = [await tasks[0].value, await tasks[1].value, await tasks[2].value]
        try hold(isDelayed || ["value", "cancelled"].contains(results[0]), "\(results)")
        try hold(["timeout", "cancelled"].contains(results[2]), "\(results)")
        let end = await nested.value
        try hold(end == "deadline", end)
        let elapsed = World.elapsed - began
        try hold(elapsed < .seconds(1), "\(elapsed)")
    }

    /// Places of a limit are given back by cancelled tasks too, and no more than allowed are taken.
    private static func limits() async throws {
        let limit = ConcurrencyLimit(2)
        let (running, most) = (Box(0), Box(0))
        let limiter = RateLimiter(2, per: .milliseconds(10))
        let tasks = (0..<5).map { number in
            Task {
                if number == 4 { return try await limiter.acquire() }
                try await limit.run {
                    running.value += 1
                    most.value = max(most.value, running.value)
                    defer { running.value -= 1 }
                    try await Task.sleep(for: .milliseconds(3))
                }
            }
        }
        tasks[1].cancel()
        for task in tasks { _ = await task.result }
        try hold(most.value <= 2, "\(most.value) at once")
        try hold(limit.running == 0 && limit.waiting == 0, "\(limit.running), \(limit.waiting)")
        try await limit.run {}
    }

    /// Sleeps of the library end at their instants or with the cancel.
    private static func sleeps() async throws {
        let loop = try Loop()
        let tasks = (1...4).map { number in
            Task { () -> (Duration, Bool) in
                let began = LoopClock().now
                let isWhole: Bool
                do {
                    try await LoopClock().sleep(for: .milliseconds(number))
                    isWhole = true
                } catch { isWhole = false }
                return (began.duration(to: LoopClock().now), isWhole)
            }
        }
        try await Task.sleep(for: .milliseconds(2))
        tasks[3].cancel()
        for (index, task) in tasks.enumerated() {
            let (took, isWhole): (Duration, Bool) = await task.value
            try hold(!isWhole || took >= .milliseconds(index + 1), "\(index): \(took)")
        }
        let report = await loop.shutdown()
        try hold(report.cancelled == 0, "\(report)")
    }

    /// Of many calls the last one's closure runs, once.
    private static func once(_ isDelayed: Bool) async throws {
        let loop = try Loop()
        let runs = Box<[Int]>([])
        let callers = (0..<4).map { number in
            Task {
                for _ in 0..<number { await Task.yield() }
                loop.once("save", after: .milliseconds(5)) { runs.value.append(number) }
            }
        }
        for caller in callers { await caller.value }
        try await Task.sleep(for: .milliseconds(20))
        try hold(isDelayed || runs.value.count == 1, "\(runs.value)")
        try hold(Set(runs.value).count == runs.value.count, "\(runs.value)")
        await loop.shutdown()
    }
}
