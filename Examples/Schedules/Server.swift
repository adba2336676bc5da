// SPDX-License-Identifier: Apache-2.0

internal import Swivel
internal import Trials

/// One of several processes that fire the same schedules. It keeps the time; the database decides
/// whose tick it is.
actor Server {
    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private let process: Int32
    /// How long the database keeps a claim for a process that is silent.
    private let lease: Duration
    /// There may be something to do: a tick is due, a schedule is new, or the connection is lost.
    private let wakes: AsyncStream<Void>
    private let wake: @Sendable () -> Void
    private let nextTick: LoopTimer

    init(process: Int32, lease: Duration, on loop: Loop) {
        self.loop = loop
        self.process = process
        self.lease = lease
        let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        wake = { waker.yield() }
        nextTick = LoopTimer(on: loop, wake)
    }

    /// Fires ticks until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await serve(try await connect())
            } catch is CancellationError {
                return
            } catch {
                say("process \(process) begins anew: \(error)")
            }
        }
    }

    private func connect() async throws -> Database {
        let backoff = Backoff.exponential(base: .milliseconds(10), limit: .milliseconds(500))
        return try await retry(attempts: .max, backoff: backoff, on: loop) {
            let database = try await Database(
                named: "schedules-\(process)", on: loop, wakes: wake)
            try await database.query(
                "SELECT set_config('idle_in_transaction_session_timeout', $1, false)",
                ["\(Int(lease / .milliseconds(1)))ms"])
            try await database.query("LISTEN schedule")
            return database
        }
    }

    private func serve(_ database: Database) async throws {
        wake()
        for await _ in wakes {
            while !Task.isCancelled, try await fireTick(of: database) {}
            if let delay = try await timeToNextTick(of: database) {
                // An overdue tick is another process's, which may die: look again soon.
                nextTick.arm(after: max(delay, lease / 10))
            }
        }
    }

    private func timeToNextTick(of database: Database) async throws -> Duration? {
        let rows = try await database.query(
            """
            SELECT extract(epoch FROM min(next_at) - clock_timestamp()) FROM schedule
            WHERE next_at < 'infinity'
            """)
        return rows.first?[0].flatMap(Double.init).map { .seconds($0) }
    }

    /// Fires the tick that is due first and that no other process has claimed.
    ///
    /// The claim is a lock on the schedule's row, and ends with the transaction: at the commit, or
    /// when the process is killed, or when the database has heard nothing of it for the time of the
    /// lease. The tick's effect, its mark and the next instant become visible together, at the
    /// commit. Before it another process fires the tick anew; after it nobody does.
    ///
    /// - Returns: Whether there was one.
    private func fireTick(of database: Database) async throws -> Bool {
        try await database.query("BEGIN")
        let claim = try await database.query(
            """
            SELECT name, number, extract(epoch FROM work) FROM schedule
            WHERE next_at <= clock_timestamp() ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED
            """)
        guard let row = claim.first, let name = row[0], let number = row[1],
            let seconds = row[2].flatMap(Double.init)
        else {
            try await database.query("ROLLBACK")
            return false
        }
        try await work(for: .seconds(seconds), of: database)
        try await database.query(
            """
            WITH mark AS (
                INSERT INTO tick (schedule, number, due, process)
                SELECT name, number, next_at, $3::int FROM schedule WHERE name = $1
            ), effect AS (
                UPDATE account SET balance = balance + 5 WHERE schedule = $1
            )
            UPDATE schedule SET
                number = number + 1,
                next_at = CASE WHEN number + 1 < ticks THEN next_at + every ELSE 'infinity' END
            WHERE name = $1 AND number = $2::bigint
            """, [name, number, "\(process)"])
        try await database.query("COMMIT")
        return true
    }

    /// The job, which takes its time elsewhere. Heartbeats keep the claim meanwhile.
    private func work(for time: Duration, of database: Database) async throws {
        let heartbeat = loop.schedule(every: lease / 3) { _ in
            // A failure shows in the statements that follow.
            Task { try? await database.query("SELECT") }
        }
        defer { heartbeat.cancel() }
        try await loop.clock.sleep(for: time)
    }
}
