// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
public import Logging
public import ServiceLifecycle
public import SwivelCore

/// A process's work on schedules, as a service: it fires the ticks that are due and that no other
/// process has claimed.
///
/// ```swift
/// var runner = ScheduleRunner(store)
/// runner.exactlyOnce("invoice") { tick, transaction in
///     try await transaction.query("INSERT INTO invoice …")
/// }
/// runner.atLeastOnce("mail") { tick in
///     try await send(mail, key: tick.idempotencyKey)
/// }
/// try await runner.run()
/// ```
///
/// All processes may have the same jobs, or each some of them: a tick waits for a process that has
/// its job. Any process may be killed at any moment.
public struct ScheduleRunner: Service {
    private let store: ScheduleStore
    private let loop: Loop
    private let logger: Logger
    package var settings = EngineSettings()
    private var jobs = Jobs()

    /// How long a tick stays claimed by a process that has stopped, or that the network has lost.
    /// A process that dies gives its transactions back at once. While a job runs, the process
    /// extends the lease three times in this time.
    public var lease: Duration {
        get { settings.lease }
        set { settings.lease = newValue }
    }

    /// How many ticks of exactly-once jobs, or batches of them, fire at a time: each has a
    /// connection.
    public var connections: Int {
        get { settings.connections }
        set { settings.connections = newValue }
    }

    /// How many ticks of at-least-once jobs fire at a time.
    public var concurrency: Int {
        get { settings.concurrency }
        set { settings.concurrency = newValue }
    }

    /// How long notes of ticks that have fired are kept; `nil`: without limit. Discarded ones stay.
    public var keepsTicksFor: Duration? {
        get { settings.keepsTicks }
        set { settings.keepsTicks = newValue }
    }

    /// How long it may take to end. Jobs that still run after four fifths of it, or five seconds
    /// before its end if that is later, are cancelled, and their ticks given back.
    public var drainLimit = Duration.seconds(10)

    /// A runner without jobs of the schedules in `store`, which keeps the time on `loop` and reports
    /// to the `logger`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public init(
        _ store: ScheduleStore, on loop: Loop = .shared, logger: Logger = Logger(label: "schedules")
    ) {
        self.store = store
        self.loop = loop
        self.logger = logger
    }

    /// Adds a job whose effect is in the database: `body` writes it in a transaction, together with
    /// the note that the tick has fired. So each tick has its effect **exactly once**, whatever
    /// dies at whatever moment. The body may run more often; what it does outside of the
    /// transaction happens as often as it runs.
    ///
    /// A transaction stays open while the body runs: use ``atLeastOnce(_:_:)`` for jobs of minutes.
    ///
    /// **Thread:** any. The body runs on the default executor.
    /// - Parameters:
    ///   - job: The name that schedules call it by. One that is taken traps.
    ///   - batch: How many due ticks of such jobs may share a transaction, one after another: more
    ///     of short jobs fire per second, and a commit is theirs together. While one of them runs,
    ///     the others wait, and no other process can fire them. A job that commits by itself,
    ///     against the rules, also commits the others' statements. Below 1 traps.
    ///   - body: If it throws, nothing of it stays, and the tick has another attempt.
    /// - Complexity: O(1).
    @preconcurrency
    public mutating func exactlyOnce(
        _ job: String, batch: Int = 1, file: StaticString = #fileID, line: UInt = #line,
        _ body:
            @escaping @Sendable (_ tick: ScheduledTick, _ transaction: ScheduleTransaction)
            async throws -> Void
    ) {
        checkIsNew(job, file, line)
        check(batch > 0, "a batch has at least one tick, not \(batch)", file: file, line: line)
        jobs.add(job, batch: min(batch, 10_000), body)
    }

    /// Adds a job that works outside of the database, or that takes long: the tick is leased for it
    /// and no transaction is open. Each tick fires **at least once**: again if the process dies
    /// before it has noted the end. Use the tick's ``ScheduledTick/idempotencyKey``.
    ///
    /// If the process cannot extend the lease, the job is cancelled, because another process may
    /// have the tick.
    ///
    /// **Thread:** any. The body runs on the default executor.
    /// - Parameters:
    ///   - job: The name that schedules call it by. One that is taken traps.
    ///   - body: If it throws, the tick has another attempt.
    /// - Complexity: O(1).
    @preconcurrency
    public mutating func atLeastOnce(
        _ job: String, file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (_ tick: ScheduledTick) async throws -> Void
    ) {
        checkIsNew(job, file, line)
        jobs.add(job, body)
    }

    private func checkIsNew(_ job: String, _ file: StaticString, _ line: UInt) {
        check(
            !jobs.knows(job), "there is a job '\(job)' already: give each a name of its own",
            file: file, line: line)
    }

    /// Fires ticks until the service group shuts down gracefully or the task is cancelled. Then it
    /// claims no more; jobs that run may end within the ``drainLimit``, or a tenth of it if the
    /// task was cancelled. It returns when all have ended or are given back.
    ///
    /// A database that is away does not end it: it connects anew, with waits that grow.
    ///
    /// **Thread:** any task.
    /// - Throws: ``ScheduleError`` if there are exactly-once jobs and the store is pooled, or if
    ///   ``connections`` or ``concurrency`` is below 1, or ``lease`` below 10 ms.
    /// - Complexity: Idle, it is one timer, and a few statements per ``lease``; per second if the
    ///   store is pooled.
    public func run() async throws {
        guard store.store.hasTransactions || jobs.transactional.isEmpty else {
            throw ScheduleError(
                """
                exactly-once jobs need a direct connection to the database, because a pooler gives \
                each transaction another one: use two runners, or atLeastOnce
                """)
        }
        guard connections > 0, concurrency > 0, lease >= .milliseconds(10) else {
            throw ScheduleError(
                "a runner needs a connection, a place for jobs and a lease of 10 ms or more")
        }
        let engine = makeEngine()
        let limit = drainLimit
        // A task of its own, which is not cancelled with this one: ticks are given back.
        let work = Task { await engine.run() }
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await work.value
            } onGracefulShutdown: {
                Task { await engine.drain(within: limit) }
            }
        } onCancel: {
            Task { await engine.drain(within: limit / 10) }
        }
    }

    func makeEngine() -> Engine {
        Engine(store.store, jobs, settings, Telemetry(logger), on: loop)
    }
}
#endif
