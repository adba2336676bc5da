// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
package import SwivelCore

/// A process's part of the work on schedules. It keeps the time; the store decides which process
/// fires a tick.
///
/// One session is in control: it leases ticks and writes what became of them, finds out when the
/// next one is due, and wakes the workers. Each worker has a session of its own, in whose
/// transactions it fires ticks. All of that runs on one loop; jobs run elsewhere.
actor Engine {
    let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    let store: any Store
    let jobs: Jobs
    let settings: EngineSettings
    let telemetry: Telemetry
    /// The name of this process's leases, each of which has a number too.
    let holder = UUID().uuidString
    var leases = 0
    /// The sessions in use, by a number of their own.
    private var sessions: [Int: any StoreSession] = [:]
    private var sessionNumber = 0
    /// Attempts whose jobs have not returned, by a number of their own.
    var running: [Int: Attempt] = [:]
    var attempts = 0
    /// Attempts at leased ticks whose end is not yet written.
    var held: [Int64: Attempt] = [:]
    /// Changes of ticks that are not yet written.
    var finished: [Change] = []
    /// Places of leased ticks that are taken.
    var slots = 0
    private var definitions: [String: KnownDefinition] = [:]
    /// Control has a session.
    var hasControl = false
    private var connecting: Task<any StoreSession, any Error>?

    /// No more ticks are claimed.
    private(set) var isDraining = false
    /// Nothing is waited for any more.
    private(set) var isOver = false
    let wakes: AsyncStream<Void>
    nonisolated let wakeControl: @Sendable () -> Void
    var idleWorkers: [CheckedContinuation<Void, Never>] = []
    /// Workers without a session.
    var controlWaiters: [CheckedContinuation<Void, Never>] = []
    /// A worker that is about to idle is to look again.
    var hasWake = false
    /// When the next tick is due, as far as is known.
    private var nextTick: LoopTimer?
    private var nextInstant: LoopClock.Instant?
    /// Reasons to act: schedules may have changed, a tick is due, leases have to be renewed, the next
    /// instant is not known.
    var (isNotified, isDue, isBeatDue, needsPlan) = (true, true, false, true)
    let reconnect: Reconnect

    init(
        _ store: any Store, _ jobs: Jobs, _ settings: EngineSettings, _ telemetry: Telemetry,
        on loop: Loop
    ) {
        self.loop = loop
        self.store = store
        self.jobs = jobs
        self.settings = settings
        self.telemetry = telemetry
        let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        wakeControl = { waker.yield() }
        reconnect = Reconnect(settings.reconnect, on: loop)
    }

    /// Fires ticks until it is drained.
    func run() async {
        let workers =
            jobs.transactional.isEmpty || !store.hasTransactions ? 0 : settings.connections
        nextTick = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.tickIsDue() } }
        let beats = loop.schedule(every: settings.lease / 3) { [weak self] _ in
            self?.assumeIsolated { $0.checkLeases() }
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.control() }
            for _ in 0..<workers { group.addTask { await self.work() } }
        }
        beats.cancel()
        nextTick?.disarm()
        store.abandon(Array(held.keys))
    }

    private func tickIsDue() {
        nextInstant = nil
        isDue = true
        wakeControl()
        wakeOneWorker()
    }

    /// A tick is due after this time, as far as is known.
    func expect(after delay: Duration) {
        let instant = loop.now + min(delay, .seconds(100_000_000))
        if let nextInstant, nextInstant <= instant { return }
        nextInstant = instant
        nextTick?.arm(at: instant)
    }

    /// Claims no more ticks. ``run()`` returns when the jobs that run have ended; those that take
    /// longer than the `limit` are cancelled, and their ticks given back.
    func drain(within limit: Duration) {
        if !isDraining {
            isDraining = true
            telemetry.drains(running.count)
            wakeControl()
            wakeAllWorkers()
            reconnect.endPause()
        }
        // Time to return, and time to write what became of the ticks.
        let limit = max(limit, .zero)
        let rest = min(limit / 5, settings.grace)
        loop.schedule(after: limit - rest) { self.assumeIsolated { $0.cancelAll() } }
        loop.schedule(after: limit - rest / 2) { self.assumeIsolated { $0.giveUpAll() } }
        loop.schedule(after: limit) { self.assumeIsolated { $0.end() } }
    }

    private func cancelAll() {
        for attempt in running.values { cancel(attempt, because: .drain) }
    }

    private func giveUpAll() {
        for attempt in running.values {
            attempt.giveUp()
            attempt.stopWaiting()
        }
    }

    private func end() {
        isOver = true
        reconnect.endPause()
        connecting?.cancel()
        wakeControl()
        // A statement without an answer would be waited for.
        for session in sessions.values { Task { await session.close() } }
    }

    // MARK: Sessions

    /// Connects, as often as it takes, one attempt of this process at a time. `nil`: there is
    /// nothing more to do.
    func connect(while isWanted: () -> Bool) async -> (any StoreSession)? {
        while isWanted() {
            let session = await reconnect.inTurn {
                isWanted() ? await attemptToConnect(while: isWanted) : nil
            }
            if let session { return session }
        }
        return nil
    }

    private func attemptToConnect(
        while isWanted: () -> Bool
    ) async -> (any StoreSession)? {
        await reconnect.pause(while: isWanted)
        guard isWanted() else { return nil }
        let attempt = Task {
            try await store.connect(lease: settings.lease, on: loop) { [weak self] in
                self?.wakeEverything()
            }
        }
        connecting = attempt
        do {
            let session = try await attempt.value
            telemetry.connected()
            return session
        } catch {
            reconnect.failed()
            telemetry.failsToConnect(error)
            return nil
        }
    }

    /// Calls `body` with a session, and closes it when that ends.
    func use(_ session: any StoreSession, _ body: () async throws -> Void) async {
        let began = loop.now
        sessionNumber += 1
        let number = sessionNumber
        sessions[number] = session
        do {
            try await body()
        } catch {
            telemetry.losesConnection(error)
            reconnect.lost(began: began)
        }
        sessions[number] = nil
        await session.close()
    }

    private nonisolated func wakeEverything() {
        loop.execute { self.assumeIsolated { $0.notified() } }
    }

    private func notified() {
        isNotified = true
        wakeControl()
        wakeAllWorkers()
    }

    // MARK: Attempts

    /// Calls a tick's job, and waits until it has returned or is given up.
    func perform(
        _ attempt: Attempt, _ tick: ScheduledTick, limit: Duration,
        _ body: @escaping @Sendable () async throws -> Void
    ) async -> Attempt.Outcome {
        attempts += 1
        let number = attempts
        running[number] = attempt
        let telemetry = telemetry
        attempt.task = Task {
            var failure: (any Error)?
            do { try await telemetry.running(tick) { try await body() } } catch { failure = error }
            running[number] = nil
            attempt.end(failure)
        }
        let timer = loop.schedule(after: limit) {
            self.assumeIsolated { $0.cancel(attempt, because: .timeLimit) }
        }
        let outcome = await attempt.result()
        timer.cancel()
        if !attempt.hasEnded { telemetry.ignoresCancel(tick) }
        return outcome
    }

    func cancel(_ attempt: Attempt, because reason: Attempt.Cancel) {
        guard attempt.cancel(because: reason) else { return }
        loop.schedule(after: settings.grace) { self.assumeIsolated { _ in attempt.giveUp() } }
    }

    /// Cancels the jobs of leases that the store has not confirmed for too long, for whatever
    /// reason: they may be another process's.
    private func checkLeases() {
        isBeatDue = true
        wakeControl()
        for attempt in held.values where loop.now - attempt.renewed > settings.lease {
            cancel(attempt, because: .leaseLost)
        }
    }

    /// A row's definition, its policy and its instants.
    func definition(_ text: String) throws -> KnownDefinition {
        if let known = definitions[text] { return known }
        let definition = try JSONDecoder().decode(Definition.self, from: Data(text.utf8))
        guard let missed = MissedTickPolicy(text: definition.missed) else {
            throw ScheduleError("'\(definition.missed)' is no policy for missed ticks")
        }
        let entry = KnownDefinition(
            definition: definition, missed: missed,
            occurrences: try Recurrence.Occurrences(definition.recurrence))
        if definitions.count > 10_000 { definitions = [:] }
        definitions[text] = entry
        return entry
    }
}

/// A definition that was read.
struct KnownDefinition: Sendable {
    let definition: Definition
    let missed: MissedTickPolicy
    let occurrences: Recurrence.Occurrences
}

/// Times and numbers of an engine.
package struct EngineSettings: Sendable {
    package var lease = Duration.seconds(30)
    /// How long a cancelled job has to return.
    package var grace = Duration.seconds(5)
    package var connections = 4
    package var concurrency = 16
    package var keepsTicks: Duration?
    package var reconnect = Backoff.exponential(base: .milliseconds(100), limit: .seconds(30))

    package init() {}
}
#endif
