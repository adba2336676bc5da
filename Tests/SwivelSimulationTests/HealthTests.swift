// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelSimulation
import Testing

/// All that a world shares with the rest of the process stays healthy.
@Suite struct HealthTests {
    @Test func anOrdinaryTaskThatAWorldResumesStaysOutside() async throws {
        let continuation = Box<CheckedContinuation<Void, Never>?>(nil)
        let wasInside = Box([true, true])
        let task = Task.detached {
            await withCheckedContinuation { continuation.value = $0 }
            wasInside.value[0] = World.isCurrent
            await MainActor.run { wasInside.value[1] = World.isCurrent }
        }
        while continuation.value == nil { await Task.yield() }
        try await simulate(seed: 1) {
            continuation.value?.resume()
            await Task.yield()
        }
        await task.value
        #expect(wasInside.value == [false, false])
    }

    @Test func anActorSharedWithOrdinaryTasksGoesOn() async throws {
        let shared = Account(0)
        let isOver = Lock(false)
        let others = (0..<2).map { _ in
            Task.detached { while !isOver.withLock({ $0 }) { await shared.take(1) } }
        }
        defer { isOver.withLock { $0 = true } }
        for seed in UInt64(0)..<50 {
            // An actor that runs outside may end its turn there: not repeatable, but it ends.
            try await simulate(seed: seed) { for _ in 0..<20 { await shared.take(-1) } }
        }
        isOver.withLock { $0 = true }
        for other in others { await other.value }
        let before = await shared.balance
        await shared.take(1)
        #expect(await shared.balance == before - 1)
    }

    @Test func aDeadlockIsReportedAndLeftBehind() async throws {
        let shared = Account(0)
        for seed in UInt64(0)..<20 {
            let failure = await #expect(throws: SimulationFailure.self) {
                try await simulate(seed: seed) {
                    await shared.take(1)
                    let task = Task(name: "waiter") {
                        try await Task.sleep(for: .seconds(2))
                        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    }
                    _ = await task.result
                }
            }
            #expect(failure?.reason == .deadlock)
            #expect(failure?.run?.elapsed == .seconds(2))
            let pending = failure?.run?.pending.map(\.description) ?? []
            #expect(pending.count == 2, "\(pending)")
            #expect(pending.contains { $0.hasPrefix("\"waiter\" (made by body) waits since 2 s") })
            #expect(failure?.description.contains("SWIVEL_SEED=\(seed) SWIVEL_HASH=") == true)
        }
        await shared.take(1)
        #expect(await shared.balance == -21)
    }

    @Test func workWithoutEndIsReported() async throws {
        let failure = await #expect(throws: SimulationFailure.self) {
            try await simulate(seed: 1, .steps(atMost: 10_000)) {
                while !Task.isCancelled { await Task.yield() }
            }
        }
        #expect(failure?.reason == .endless)
        let other = await #expect(throws: SimulationFailure.self) {
            try await simulate(seed: 1, .steps(atMost: 10_000)) {
                while true { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        #expect(other?.reason == .outOfSteps)
    }

    @Test func whatComesFromOtherThreadsIsNamed() async throws {
        let run = try await simulate(seed: 1) {
            await withCheckedContinuation { continuation in
                Thread {
                    usleep(2000)  // The task has suspended by then.
                    continuation.resume()
                }.start()
            }
            #expect(World.isCurrent)
        }
        #expect(run.escapes.count == 1)
        #expect(run.escapes.first?.hasPrefix("body was resumed by the thread") == true)
    }

    @Test func anActorResumedByAThreadIsNamed() async throws {
        let run = try await simulate(seed: 1) { await Waiter().wait() }
        #expect(run.escapes.count == 1, "\(run.escapes)")
    }

    /// These tasks end in an actor's turn, and the memory of one is that of the next.
    @Test func eachTaskOfAsyncLetIsOneOfItsOwn() async throws {
        let body: @Sendable () async throws -> Void = {
            let account = Account(0)
            for _ in 0..<3 {
                async let taken: Void = account.take(1)
                async let paid: Void = Self.pay(account)
                async let shown: Void = Self.show()
                _ = await (taken, paid, shown)
                async let last: Void = Self.pay(account)
                await last
            }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        for seed in UInt64(0)..<50 {
            let failure = await #expect(throws: SimulationFailure.self) {
                try await simulate(seed: seed, body: body)
            }
            #expect(failure?.run?.tasks == 13, "seed \(seed)")
            #expect(failure?.run?.pending.count == 1, "those that have ended do not wait")
        }
    }

    private static func pay(_ account: isolated Account) { account.take(1) }

    @MainActor private static func show() {}

    @Test func simulationsDoNotNest() async throws {
        try await simulate(seed: 1) {
            let failure = await #expect(throws: SimulationFailure.self) {
                try await simulate(seed: 2) {}
            }
            #expect(failure?.reason == .unsupported)
            let other = await #expect(throws: SimulationFailure.self) {
                try await simulate(seeds: 2) {}
            }
            #expect(other?.reason == .unsupported)
        }
        try await simulate(seed: 3) {}
    }

    @Test func theMainThreadsTimeIsRealAfterwards() async throws {
        try await simulate(seed: 1) {
            let loop = try Loop.embedded()
            try await Task.sleep(for: .seconds(1))
            drive(loop)
            await loop.shutdown()
        }
        let (real, now) = await MainActor.run { (ContinuousClock.now, LoopClock.Instant.now) }
        _ = real
        #expect(now.nanoseconds < 100_000_000_000_000_000)
    }

    @MainActor @Test func tasksOfTheMainActorThatOutliveTheBodyNeverGoOn() async throws {
        let continuation = Box<CheckedContinuation<Void, Never>?>(nil)
        let hasRun = Box(false)
        try await simulate(seed: 1) {
            let task = Task { @MainActor in
                await withCheckedContinuation { continuation.value = $0 }
                hasRun.value = true
            }
            while continuation.value == nil { await Task.yield() }
            _ = task
        }
        continuation.value?.resume()
        for _ in 0..<20 { await Task.yield() }
        #expect(!hasRun.value)
    }

    @Test func anErrorOfTheBodyIsThrown() async {
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await simulate(seed: 1) { throw Broken() } }
        let failure = await #expect(throws: SimulationFailure.self) {
            try await simulate(seeds: 3) { throw Broken() }
        }
        #expect(failure?.reason == .thrown)
        #expect(failure?.error is Broken)
        #expect(failure?.run?.seed == 0)
    }

    @Test func tasksThatOutliveTheBodyNeverGoOn() async throws {
        let hasRun = Box(false)
        try await simulate(seed: 1) {
            Task {
                try await Task.sleep(for: .milliseconds(1))
                hasRun.value = true
            }
        }
        try await Task.sleep(for: .milliseconds(20))
        #expect(!hasRun.value)
    }
}

private func drive(_ loop: Loop) { loop.runOnce(.noWait) }

private actor Waiter {
    func wait() async {
        await withCheckedContinuation { continuation in
            Thread {
                usleep(2000)  // The task has suspended by then.
                continuation.resume()
            }.start()
        }
    }
}

/// A suite whose trait counts, though its test has one of its own.
@Suite(.simulated(seeds: 3)) struct NestedTraitTests {
    @Test(.simulated(seeds: 5)) func itsTestIsSimulated() async throws {
        #expect(World.isCurrent)
        try await Task.sleep(for: .seconds(3600))
    }
}

/// Ordinary tests, in parallel with simulated ones: in real time, and never in a world.
@Suite struct OrdinaryTests {
    @Test(arguments: 0..<6) func timeIsReal(_ number: Int) async throws {
        for _ in 0..<10 {
            let (instant, date) = (ContinuousClock.now, Date())
            let uptime = realUptime()
            try await Task.sleep(for: .milliseconds(10))
            #expect(!World.isCurrent)
            #expect(instant.duration(to: .now) >= .milliseconds(10))
            #expect(realUptime() - uptime >= 0.0099)
            #expect(Date().timeIntervalSince(date) < 60)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { await Self.isOutside() } }
            }
            await Task.detached { await Task { @MainActor in await Self.isOutside() }.value }.value
        }
    }

    @MainActor @Test(arguments: 0..<4) func theMainActorIsThePlatforms(_ number: Int) async throws {
        for round in 0..<50 {
            MainActor.preconditionIsolated()
            dispatchPrecondition(condition: .onQueue(.main))
            await Self.isOutside()
            await Task.detached {}.value
            if round % 10 == 0 { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    private static func isOutside() async {
        #expect(!World.isCurrent)
        await Task.yield()
        #expect(!World.isCurrent)
    }

    /// The kernel's, in seconds.
    private func realUptime() -> Double {
        let text = (try? String(contentsOfFile: "/proc/uptime", encoding: .utf8)) ?? ""
        return text.split(separator: " ").first.flatMap { Double($0) } ?? 0
    }
}
