// SPDX-License-Identifier: Apache-2.0
import Synchronization
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// `Task.sleep` in tasks that prefer a manual loop's executor.
@Suite(.enabled(if: WakeJob.isSupported)) struct TaskSleepTests {
    private static let second = Duration.seconds(1)

    private func manual() throws -> (Loop, LoopClock.Instant) {
        let loop = try manualLoop()
        return (loop, loop.now)
    }

    /// Each sleeps for a second, in another way.
    static let sleeps: [(String, @Sendable () async throws -> Void)] = [
        ("for", { try await Task.sleep(for: second) }),
        ("nanoseconds", { try await Task.sleep(nanoseconds: 1_000_000_000) }),
        ("until", { try await Task.sleep(until: .now + second, clock: .continuous) }),
        ("suspending", { try await Task.sleep(for: second, clock: .suspending) }),
        ("clock", { try await ContinuousClock().sleep(for: second) }),
        (
            "child",
            {
                async let child: Void = Task.sleep(for: second); try await child
            }
        ),
        (
            "group",
            {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await Task.sleep(for: second) }
                    try await group.next()
                }
            }
        ),
    ]

    @Test(arguments: sleeps.indices)
    func eachKindIsATimerOfTheLoop(kind: Int) async throws {
        let (loop, start) = try manual()
        let task = Task(executorPreference: loop.taskExecutor) { [loop] in
            try await Self.sleeps[kind].1()
            return loop.now
        }
        await loop.advance(by: .milliseconds(999))
        let pending = await loop.pending(limit: 2)
        #expect(pending.count == 1, "\(Self.sleeps[kind].0)")
        await loop.advance(by: .milliseconds(1))
        #expect(try await start.duration(to: task.value) == Self.second)
    }

    @Test(arguments: sleeps.indices)
    func aCancelledSleepLeavesNothing(kind: Int) async throws {
        let (loop, _) = try manual()
        let task = Task(executorPreference: loop.taskExecutor) { try await Self.sleeps[kind].1() }
        await loop.advance(by: .milliseconds(1))
        let pending = await loop.pending(limit: 2)
        #expect(pending.count == 1)
        task.cancel()
        await loop.advance(by: .zero)
        let rest = await loop.pending(limit: 1)
        #expect(rest.isEmpty)
        #expect(loop.metrics.cancelled == 1)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aTaskThatIsCancelledBeforeSleepsNot() async throws {
        let (loop, _) = try manual()
        let task = Task(executorPreference: loop.taskExecutor) {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Task.sleep(for: .seconds(3600))
        }
        await loop.advance(by: .zero)
        let pending = await loop.pending(limit: 1)
        #expect(pending.isEmpty)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Code that knows nothing of the loop.
    @Test func fiveHoursOfAThirdPartysSleeps() async throws {
        let (loop, start) = try manual()
        let instants = Mutex<[Duration]>([])
        let task = Task(executorPreference: loop.taskExecutor) { [loop] in
            for _ in 0..<5 {
                try await Task.sleep(for: .seconds(3600))
                instants.withLock { $0.append(start.duration(to: loop.now)) }
            }
        }
        for _ in 0..<5 { await loop.advance(by: .seconds(3600)) }
        try await task.value
        #expect(instants.withLock { $0 } == (1...5).map { .seconds(3600 * $0) })
    }

    /// Far apart, because a thread that is interrupted for milliseconds in the runtime's own part of
    /// a sleep makes that sleep earlier by as much.
    @Test func sleepsEndInTheOrderOfTheirDeadlines() async throws {
        let (loop, start) = try manual()
        let (count, unit) = (50, Duration.milliseconds(100))
        var random = Seeded()
        let ended = Lock<[(number: Int, instant: Duration)]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in (1...count).shuffled(using: &random) {
            tasks.append(
                Task(executorPreference: loop.taskExecutor) { [loop] in
                    try await Task.sleep(for: unit * number)
                    ended.withLock { $0.append((number, start.duration(to: loop.now))) }
                })
        }
        await loop.advance(by: unit * count)
        for task in tasks { try await task.value }
        let result = ended.withLock { $0 }
        #expect(result.map(\.number) == Array(1...count))
        #expect(result.map { Int(($0.instant / unit).rounded(.up)) } == Array(1...count))
    }

    @Test func theToleranceIsALeeway() async throws {
        let (loop, start) = try manual()
        let task = Task(executorPreference: loop.taskExecutor) {
            try await Task.sleep(for: .seconds(1), tolerance: .seconds(5))
        }
        await loop.advance(by: .milliseconds(1))
        let pending = await loop.pending(limit: 1)
        // The wheel chooses an instant at which others may be due.
        let deadline = try #require(pending.first?.deadline)
        #expect(deadline > start + .seconds(1) && deadline <= start + .seconds(6))
        await loop.advance(by: .seconds(7))
        try await task.value
    }

    /// A task that prefers the loop and is on the main actor resumes there.
    @Test func aSleepOnTheMainActor() async throws {
        let (loop, start) = try manual()
        let end = Lock<Duration?>(nil)
        let task = Task(executorPreference: loop.taskExecutor) { [loop] in
            try await MainSleeper.sleep(Self.second)
            end.withLock { $0 = start.duration(to: loop.now) }
        }
        // No advance waits for the main actor before and after the sleep.
        while loop.metrics.pending == 0 { await loop.advance(by: .zero) }
        await loop.advance(by: Self.second)
        while end.withLock({ $0 }) == nil { await loop.advance(by: .zero) }
        #expect(end.withLock { $0 } == Self.second)
        try await task.value
    }
}

@MainActor private enum MainSleeper {
    static func sleep(_ duration: Duration) async throws {
        try await Task.sleep(for: duration)
        MainActor.assertIsolated()
    }
}
