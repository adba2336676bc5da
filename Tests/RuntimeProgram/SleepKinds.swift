// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelRuntime

/// Six kinds of sleeps.
private enum SleepKind: Int, CaseIterable {
    case duration, nanoseconds, suspendingClock, actor, mainActor, race

    func sleep(_ duration: Duration) async throws {
        switch self {
        case .duration: try await Task.sleep(for: duration)
        case .nanoseconds: try await Task.sleep(nanoseconds: duration.nanosecondsRoundedUp)
        case .suspendingClock: try await SuspendingClock().sleep(for: duration, tolerance: .zero)
        case .actor: try await Sleeper.shared.sleep(duration)
        case .mainActor: try await sleepOnTheMainActor(duration)
        case .race:
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Task.sleep(for: duration) }
                group.addTask { try await Task.sleep(for: hour) }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}

private actor Sleeper {
    static let shared = Sleeper()

    func sleep(_ duration: Duration) async throws { try await Task.sleep(for: duration) }
}

@MainActor private func sleepOnTheMainActor(_ duration: Duration) async throws {
    try await Task.sleep(for: duration)
}

private struct Outcomes: Sendable {
    let ended = Count()
    let cancelled = Count()
    let early = Count()
}

/// R2: sleeps with random cancels from 32 tasks. None is early, and all end.
func allKindsOfSleeps() async {
    let given = getenv("SWIVEL_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? .random(in: .min ... .max)
    print("all kinds of sleeps: seed \(seed)")
    fflush(nil)
    var random = SplitMix64(seed: seed)
    let (outcomes, end) = (Outcomes(), ContinuousClock.now + .seconds(3))
    await withTaskGroup { group in
        for _ in 0..<32 {
            let seed = random.next()
            group.addTask {
                var random = SplitMix64(seed: seed)
                while ContinuousClock.now < end { await sleep(&random, outcomes) }
            }
        }
    }
    let (ended, cancelled) = (outcomes.ended.value, outcomes.cancelled.value)
    print("\(ended) ended, \(cancelled) cancelled, \(SwivelRuntime.metrics)")
    require(outcomes.early.value == 0, "\(outcomes.early.value) sleeps were early")
    require(ended > 100 && cancelled > 100, "too few for a test")
    require(SwivelRuntime.metrics.sleepsPending <= 128, "\(SwivelRuntime.metrics)")
}

/// One sleep, in a task of its own, which is cancelled at random.
private func sleep(_ random: inout SplitMix64, _ outcomes: Outcomes) async {
    guard let kind = SleepKind.allCases.randomElement(using: &random) else { return }
    let duration = Duration.microseconds(Int.random(in: 0...3_000, using: &random))
    let priority = [TaskPriority.low, .medium, .high].randomElement(using: &random)
    let start = ContinuousClock.now
    let task = Task.detached(priority: priority) {
        do {
            try await kind.sleep(duration)
            outcomes.ended.add()
            if start.duration(to: .now) < duration { outcomes.early.add() }
        } catch {
            require(error is CancellationError, "\(kind): \(error)")
            outcomes.cancelled.add()
        }
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: task.cancel()
    case 1:
        try? await Task.sleep(for: .microseconds(Int.random(in: 0...3_000, using: &random)))
        task.cancel()
    case 2:
        for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
        task.cancel()
    default: break
    }
    await task.value
}
#endif
