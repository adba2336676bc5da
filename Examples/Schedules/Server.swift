// SPDX-License-Identifier: Apache-2.0

internal import Swivel
internal import Trials

/// One of several processes that fire the same schedules. It keeps the time; the database decides
/// which process fires a tick.
actor Server {
    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private let process: Int32
    private let limits: Limits
    /// There may be something to do: a tick is due, a schedule has changed, the connection is lost,
    /// or the server is to end.
    private let wakes: AsyncStream<Void>
    private let wake: @Sendable () -> Void
    private let nextTick: LoopTimer
    private var isDraining = false

    init(process: Int32, limits: Limits, on loop: Loop) {
        self.loop = loop
        self.process = process
        self.limits = limits
        let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        wake = { waker.yield() }
        nextTick = LoopTimer(on: loop, wake)
    }

    /// Fires ticks until it is drained.
    func run() async {
        var failures = 0
        while !isDraining {
            let began = loop.now
            do {
                try await serve(try await connect())
            } catch {
                if isDraining { return }
                say("process \(process) begins anew: \(error)")
            }
            // A connection that has lasted starts the backoff again.
            failures = loop.now - began > limits.longestBackoff ? 1 : failures + 1
            try? await loop.clock.sleep(for: limits.wait(after: failures))
        }
    }

    /// Claims no more ticks. ``run()`` returns when the job that it has started has ended.
    func drain() {
        isDraining = true
        wake()
    }

    private func connect() async throws -> Database {
        try await withTimeout(limits.connect, on: loop) {
            let database = try await Database(
                named: "schedules-\(process)", limit: limits.statement, on: loop, wakes: wake)
            try await database.query(
                """
                SELECT set_config('idle_in_transaction_session_timeout', $1, false),
                    set_config('statement_timeout', $2, false),
                    set_config('schedules.server', 'yes', false)
                """,
                [limits.lease, limits.statement].map { "\(Int($0 / .milliseconds(1)))ms" })
            try await database.query("LISTEN schedule")
            return database
        }
    }

    private func serve(_ database: Database) async throws {
        wake()
        for await _ in wakes {
            while !isDraining, try await fireTick(of: database) {}
            if isDraining { return }
            if let delay = try await timeToNextTick(of: database) {
                // An overdue tick is another process's, which may die: look again soon.
                nextTick.arm(after: max(delay, limits.lease / 10))
            }
        }
    }

    private func timeToNextTick(of database: Database) async throws -> Duration? {
        let rows = try await database.query(
            """
            SELECT extract(epoch FROM min(greatest(next_at, retry_at)) - clock_timestamp())
            FROM schedule WHERE next_at < 'infinity'
            """)
        return rows.first?[0].flatMap(Double.init).map { .seconds($0) }
    }

    /// Fires the tick that is due first and that no other process has claimed.
    ///
    /// The claim is a lock on the schedule's row, and ends with the transaction: at the commit, or
    /// when the process is killed, or when the database has received nothing from it for the time of
    /// the lease. The tick's effect, its mark and the next instant become visible together, at the
    /// commit. Before it another process fires the tick anew; after it no process does.
    ///
    /// - Returns: Whether there was one.
    private func fireTick(of database: Database) async throws -> Bool {
        try await database.query("BEGIN")
        let claim = try await database.query(
            """
            SELECT \(Tick.columns) FROM schedule
            WHERE greatest(next_at, retry_at) <= clock_timestamp()
            ORDER BY greatest(next_at, retry_at) LIMIT 1 FOR UPDATE SKIP LOCKED
            """)
        guard let tick = claim.first.flatMap(Tick.init) else {
            try await database.query("ROLLBACK")
            return false
        }
        do {
            try await withTimeout(limits.job, on: loop) { try await work(on: tick, of: database) }
            try await mark(tick, of: database)
            try await database.query("COMMIT")
        } catch {
            // Without a connection this fails too, and the claim has ended by itself.
            try await database.query("ROLLBACK")
            // A job that the drain has cancelled is another process's.
            try Task.checkCancellation()
            try await fail(tick, because: error, of: database)
        }
        return true
    }

    /// The job, which takes its time elsewhere. Heartbeats keep the claim until it ends.
    private func work(on tick: Tick, of database: Database) async throws {
        let heartbeat = loop.schedule(every: limits.lease / 3) { _ in
            // A failure shows in the statements that follow.
            Task { try? await database.query("SELECT") }
        }
        defer { heartbeat.cancel() }
        try await loop.clock.sleep(for: tick.work)
        if tick.failures < tick.fails { throw JobError(attempt: tick.failures + 1) }
    }

    /// The tick's effect, its mark, and the next instant.
    private func mark(_ tick: Tick, of database: Database) async throws {
        try await database.query(
            """
            WITH mark AS (
                INSERT INTO tick (schedule, number, due, process)
                SELECT name, number, next_at, $3::int FROM schedule WHERE name = $1
            ), effect AS (
                UPDATE account SET balance = balance + 5 WHERE schedule = $1
            )
            UPDATE schedule SET \(Self.nextTick) WHERE name = $1 AND number = $2::bigint
            """, [tick.schedule, tick.number, "\(process)"])
    }

    private static let nextTick = """
        number = number + 1, failures = 0, retry_at = '-infinity',
        next_at = CASE WHEN number + 1 < ticks THEN next_at + every ELSE 'infinity' END
        """

    /// An attempt at the job has failed: the tick has another one after a wait, or is a dead letter,
    /// and the schedule continues with its next tick. The other schedules never wait for either.
    private func fail(_ tick: Tick, because error: any Error, of database: Database) async throws {
        let parameters = [tick.schedule, tick.number, "\(tick.failures)", "\(error)"]
        if tick.failures + 1 < tick.attempts {
            let wait = limits.wait(after: tick.failures + 1) / .milliseconds(1)
            try await database.query(
                """
                UPDATE schedule SET failures = failures + 1, error = $4,
                    retry_at = clock_timestamp() + $5::float8 * interval '1 ms'
                WHERE name = $1 AND number = $2::bigint AND failures = $3::int
                """, parameters + ["\(wait)"])
        } else {
            // Another process may have tried it since the rollback: then nothing changes.
            try await database.query(
                """
                WITH failed AS (
                    UPDATE schedule SET error = $4, \(Self.nextTick)
                    WHERE name = $1 AND number = $2::bigint AND failures = $3::int RETURNING name
                )
                INSERT INTO dead_letter (schedule, number, due, attempts, error, process)
                SELECT name, $2::bigint, $5::timestamptz, $3::int + 1, $4, $6::int FROM failed
                """, parameters + [tick.due, "\(process)"])
        }
    }
}

/// The failure of an attempt, in the trial.
struct JobError: Error, CustomStringConvertible {
    let attempt: Int
    var description: String { "attempt \(attempt) has failed, as the schedule asks for" }
}
