// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelSimulation
import Synchronization

/// Programs with a bug, each beside its corrected form.
enum PlantedBug: String, CaseIterable, Sendable {
    case overdraft
    case lostWakeUp
    case doubleResume
    case lostCancellation
    case timeoutRacesItsResult
    case noReentrancy
    case lastElementDropped

    /// Whether the program holds what it promises.
    func holds(corrected: Bool) async throws -> Bool {
        switch self {
        case .overdraft: await Self.overdraft(corrected)
        case .lostWakeUp: await Self.lostWakeUp(corrected)
        case .doubleResume: await Self.doubleResume(corrected)
        case .lostCancellation: await Self.lostCancellation(corrected)
        case .timeoutRacesItsResult: await Self.timeoutRacesItsResult(corrected)
        case .noReentrancy: await Self.noReentrancy(corrected)
        case .lastElementDropped: await Self.lastElementDropped(corrected)
        }
    }

    /// Checks a balance and takes money in two calls.
    private static func overdraft(_ corrected: Bool) async -> Bool {
        let account = Account()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    if corrected {
                        await account.pay(80)
                    } else {
                        await payCarelessly(80, from: account)
                    }
                }
            }
        }
        return await account.balance >= 0
    }

    /// Looks whether a gate is open, and waits in a second step.
    private static func lostWakeUp(_ corrected: Bool) async -> Bool {
        let gate = Gate(corrected)
        let waiter = Task { await gate.wait() }
        await Task.yield()
        await gate.open()
        await waiter.value
        return true
    }

    /// Two sides complete one request, and each looks first whether it is done.
    private static func doubleResume(_ corrected: Bool) async -> Bool {
        let request = Request(corrected)
        async let answer: Void = request.complete()
        async let failure: Void = request.complete()
        _ = await (answer, failure)
        return await request.completions == 1
    }

    /// Asks whether it is cancelled before it begins to wait, and not while it waits.
    private static func lostCancellation(_ corrected: Bool) async -> Bool {
        let work = Task {
            if corrected {
                try? await Task.sleep(for: .seconds(3600))
            } else {
                if Task.isCancelled { return }
                await Task { try? await Task.sleep(for: .seconds(3600)) }.value
            }
        }
        await Task.yield()
        work.cancel()
        await work.value
        return World.elapsed < .seconds(3600)
    }

    /// A result that comes at the instant of the limit is replaced by the timeout.
    private static func timeoutRacesItsResult(_ corrected: Bool) async -> Bool {
        let outcome = Outcome(corrected)
        async let result: Void = {
            try? await Task.sleep(for: .seconds(1))
            await outcome.set("result")
        }()
        async let limit: Void = {
            try? await Task.sleep(for: .seconds(1))
            if await outcome.isOpen { await outcome.set("timeout") }
        }()
        _ = await (result, limit)
        return await outcome.history.count == 1
    }

    /// Loads a value once, as the actor's method assumes.
    private static func noReentrancy(_ corrected: Bool) async -> Bool {
        let cache = Cache(corrected)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = await cache.value() } }
        }
        return await cache.loads == 1
    }

    /// Finishes a stream, and another task sends its last element.
    private static func lastElementDropped(_ corrected: Bool) async -> Bool {
        let (stream, feed) = AsyncStream<Int>.makeStream()
        let sender = Task {
            for number in 0..<3 {
                await Task.yield()
                feed.yield(number)
            }
        }
        let closer = Task {
            if corrected { await sender.value } else { for _ in 0..<6 { await Task.yield() } }
            feed.finish()
        }
        var count = 0
        for await _ in stream { count += 1 }
        await closer.value
        return count == 3
    }
}

private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private let corrected: Bool

    init(_ corrected: Bool) { self.corrected = corrected }

    func open() {
        isOpen = true
        for waiter in waiting { waiter.resume() }
        waiting = []
    }

    func wait() async {
        if isOpen { return }
        if !corrected { await log() }
        await withCheckedContinuation { waiting.append($0) }
    }

    nonisolated func log() async { await Task.yield() }
}

private actor Request {
    private(set) var completions = 0
    private let log = Account()
    private let corrected: Bool

    init(_ corrected: Bool) { self.corrected = corrected }

    /// Counts what would resume a continuation.
    func complete() async {
        guard completions == 0 else { return }
        if !corrected { await log.take(0) }
        completions += 1
        if corrected { await log.take(0) }
    }
}

private actor Outcome {
    private(set) var history: [String] = []
    private let corrected: Bool

    init(_ corrected: Bool) { self.corrected = corrected }

    var isOpen: Bool { history.isEmpty }

    func set(_ text: String) {
        if corrected && !history.isEmpty { return }
        history.append(text)
    }
}

private actor Cache {
    private(set) var loads = 0
    private var known: Int?
    private var loading: Task<Int, Never>?
    private let source = Account(7)
    private let corrected: Bool

    init(_ corrected: Bool) { self.corrected = corrected }

    func value() async -> Int {
        if let known { return known }
        if corrected, let loading { return await loading.value }
        loads += 1
        let task = Task { await source.balance }
        loading = task
        let value = await task.value
        known = value
        return value
    }
}
