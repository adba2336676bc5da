// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// Six kinds of sleeps, of which the half is cancelled at a random time, from 32 tasks.
final class Stress: Sendable {
    private let executor: (any TaskExecutor)?
    private let seconds: Int
    private let begun = Counter()
    private let ended = Counter()
    private let cancelled = Counter()
    private let early = Counter()
    private let lost = Counter()
    private let sleeper = Sleeper()

    init(_ executor: (any TaskExecutor)?, seconds: Int) {
        (self.executor, self.seconds) = (executor, seconds)
    }

    /// Returns false if a sleep was early, threw without being cancelled, or did not end.
    @Sendable func run() async -> Bool {
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init)
        let first = seed ?? .random(in: 0 ... .max)
        FileHandle.standardError.write(Data("stress: SEED=\(first)\n".utf8))
        // A sleep that never ends holds up its worker.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds + 30)) {
            self.report()
            exit(1)
        }
        let end = ContinuousClock.now + .seconds(seconds)
        await withTaskGroup { group in
            for worker in 0..<32 {
                group.addTask {
                    var random = Random(state: first &+ UInt64(worker) << 32)
                    while ContinuousClock.now < end { await self.sleepOnce(&random) }
                }
            }
        }
        return report()
    }

    @discardableResult
    private func report() -> Bool {
        Trial.row("sleeps that ended", ended.value)
        Trial.row("cancelled", cancelled.value)
        Trial.row("early", early.value, "zero")
        Trial.row("ended without a cancel", lost.value, "zero")
        Trial.row("not ended", begun.value - ended.value, "zero")
        return early.value + lost.value == 0 && begun.value == ended.value
    }

    private func sleepOnce(_ random: inout Random) async {
        let kind = Int.random(in: 0..<6, using: &random)
        let length = Duration.microseconds(.random(in: 0...3_000, using: &random))
        let priority = [.low, .medium, .high].randomElement(using: &random) ?? TaskPriority.medium
        let isCancelled = Bool.random(using: &random)
        let wait = Int.random(in: 0...3_000, using: &random)
        let suspends = Bool.random(using: &random)
        begun.add()
        let task = Task(executorPreference: executor, priority: priority) {
            do {
                if try await self.sleep(kind, length) < length { self.early.add() }
            } catch {
                isCancelled && error is CancellationError ? self.cancelled.add() : self.lost.add()
            }
            self.ended.add()
        }
        if isCancelled {
            if suspends {
                try? await Task.sleep(for: .microseconds(wait))
            } else {
                occupy(for: .microseconds(wait / 8))
            }
            task.cancel()
        }
        await task.value
    }

    /// Keeps the thread busy, so that a cancel meets a sleep that is just beginning.
    private func occupy(for time: Duration) {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {}
    }

    /// Returns how long the sleep took, measured next to it.
    private func sleep(_ kind: Int, _ length: Duration) async throws -> Duration {
        let start = ContinuousClock.now
        switch kind {
        case 0: try await Task.sleep(for: length)
        case 1: return try await sleeper.sleep(length)
        case 2: return try await Self.sleepOnMain(length)
        case 3: try await Task.sleep(nanoseconds: UInt64(length / .nanoseconds(1)))
        case 4: try await SuspendingClock().sleep(for: length)
        default: return try await sleepWithinLimit(length)
        }
        return start.duration(to: .now)
    }

    /// A time limit as servers have it: the other child is cancelled in the middle of its sleep.
    private func sleepWithinLimit(_ length: Duration) async throws -> Duration {
        try await withThrowingTaskGroup { group in
            group.addTask {
                let start = ContinuousClock.now
                try await Task.sleep(for: length)
                return start.duration(to: .now)
            }
            group.addTask {
                try await Task.sleep(for: .seconds(3_600))
                return .zero
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .zero
        }
    }

    @MainActor
    private static func sleepOnMain(_ length: Duration) async throws -> Duration {
        let start = ContinuousClock.now
        try await Task.sleep(for: length)
        return start.duration(to: .now)
    }

    private actor Sleeper {
        func sleep(_ length: Duration) async throws -> Duration {
            let start = ContinuousClock.now
            try await Task.sleep(for: length)
            return start.duration(to: .now)
        }
    }
}
