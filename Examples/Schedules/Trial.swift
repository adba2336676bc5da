// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// Several servers share schedules, and are killed, stopped and continued meanwhile, as is the
/// database. In the end each tick must have fired once.
actor Trial {
    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private let options: Options
    private let limits: Limits
    private var random: SeededRandom
    private var servers: [Child] = []
    private var (kills, killsInClaims, stops) = (0, 0, 0)
    private var (crashes, restarts) = (0, 0)

    init(_ options: Options, _ limits: Limits, seed: UInt64, on loop: Loop) {
        self.options = options
        self.limits = limits
        self.loop = loop
        random = SeededRandom(seed: seed)
    }

    func run() async throws {
        let start = loop.now
        for _ in 0..<max(options["processes", default: 4], 1) {
            servers.append(try Child(["serve"]))
        }
        let ticks = options["ticks", default: 1000]
        try await insertSchedules(ticks: ticks)
        let chaos = Task { try await disturb() }
        let leastKills = options["kills", default: 0]
        for await _ in loop.ticks(every: .milliseconds(100)) where kills >= leastKills {
            if try await isDone() { break }
        }
        chaos.cancel()
        try await chaos.value
        // Those that were killed or lost the database last are back.
        for await _ in loop.ticks(every: .milliseconds(20)) where try await allAreConnected() {
            break
        }
        try await failAlone()
        try await fallSilent()
        try await bringForward()
        try await drain()
        say(
            """
            \(servers.count) processes fired \(ticks) ticks in \((loop.now - start).text)
            killed: \(kills), of which \(killsInClaims) in a transaction · \
            stopped: \(stops) · crashes of the database: \(crashes), and starts anew: \(restarts)
            """)
        try await check(ticks: ticks + 3)
    }

    /// A job that fails drops no connection.
    private func failAlone() async throws {
        let before = try await connections()
        try await add("failing", fails: 1000)
        for await _ in loop.ticks(every: .milliseconds(20))
        where try await !query("SELECT FROM dead_letter WHERE schedule = 'failing'").isEmpty {
            break
        }
        expect(try await connections() == before, "a job that fails drops no connection")
    }

    /// Stops the database, which then answers no statement. Each server drops its connection after
    /// the limit, and connects anew when the database continues.
    private func fallSilent() async throws {
        let before = try await connections()
        let processes = try await before.union([firstProcess()])
        // A tick for which each server has set its timer, so that a statement is under way.
        let pause = Duration.seconds(3)
        try await add("silent", after: pause)
        for await _ in loop.ticks(every: .milliseconds(20)) {
            let ready = try await query(
                """
                SELECT FROM pg_stat_activity, schedule WHERE name = 'silent' AND state = 'idle'
                AND application_name LIKE 'schedules-%' AND query LIKE '%extract(epoch%'
                AND query_start > next_at - interval '3 s'
                """)
            if ready.count == servers.count { break }
        }
        for id in processes { kill(id, SIGSTOP) }
        // The server's own limit is a second longer than that of the database.
        try? await loop.clock.sleep(for: pause + limits.statement + .seconds(2))
        for id in processes { kill(id, SIGCONT) }
        let deadline = loop.now + .seconds(30)
        for await _ in loop.ticks(every: .milliseconds(50)) {
            let after = try await connections()
            if after.count == servers.count, after.isDisjoint(with: before) { break }
            expect(loop.now < deadline, "a connection without an answer is dropped")
        }
    }

    /// Moves a tick from an hour ahead to now. The servers, which have nothing else to do, fire it.
    private func bringForward() async throws {
        let set = "SET next_at = clock_timestamp() WHERE name = 'postponed'"
        _ = try await query("UPDATE schedule \(set)")
        let deadline = loop.now + .seconds(30)
        for await _ in loop.ticks(every: .milliseconds(20)) {
            if try await !query("SELECT FROM tick WHERE schedule = 'postponed'").isEmpty { break }
            expect(loop.now < deadline, "a change of a schedule's row is received")
        }
    }

    /// Ends the servers while one of them runs a job. It commits before it ends.
    private func drain() async throws {
        try await add("last", work: .milliseconds(500))
        for await _ in loop.ticks(every: .milliseconds(20)) {
            let running = try await query(
                """
                SELECT FROM pg_stat_activity WHERE application_name LIKE 'schedules-%'
                AND xact_start IS NOT NULL
                UNION ALL SELECT FROM tick WHERE schedule = 'last'
                """)
            if !running.isEmpty { break }
        }
        for server in servers { server.send(SIGTERM) }
        for server in servers {
            expect(server.wait() == 0, "a server ends by itself after SIGTERM")
        }
    }

    /// Adds a schedule of one tick.
    private func add(
        _ name: String, after delay: Duration = .zero, work: Duration = .zero, fails: Int = 0
    ) async throws {
        _ = try await query(
            """
            WITH fresh AS (
                INSERT INTO schedule (name, every, next_at, ticks, work, fails)
                VALUES ($1, '1 s', clock_timestamp() + $2::interval, 1, $3::interval, $4::int)
                RETURNING name
            )
            INSERT INTO account (schedule) SELECT name FROM fresh
            """,
            [name, "\(delay / .milliseconds(1)) ms", "\(work / .milliseconds(1)) ms", "\(fails)"])
    }

    /// The database's processes of the servers' connections.
    private func connections() async throws -> Set<pid_t> {
        let rows = try await query(
            "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'schedules-%'")
        return Set(rows.compactMap { $0[0].flatMap(pid_t.init) })
    }

    private func firstProcess() async throws -> pid_t {
        let file = try await query("SELECT pg_read_file('postmaster.pid')")
        let id = file.first?[0]?.split(separator: "\n").first.flatMap { pid_t($0) }
        guard let id else { fail("the database does not say which process it is") }
        return id
    }

    /// A connection that is as good as a new one, also after a crash of the database.
    private func query(
        _ sql: String, _ parameters: [String] = []
    ) async throws -> [Database.Row] {
        try await retry(
            attempts: 100, backoff: .constant(.milliseconds(100)), on: loop,
            if: { ($0 as? DatabaseError)?.isOfConnection == true }
        ) {
            let database = try await Database(named: "trial", limit: .seconds(30), on: loop) {}
            return try await database.query(sql, parameters)
        }
    }

    /// A hundredth of the ticks belong to a schedule whose job takes longer than the lease. The jobs
    /// of one schedule fail at first, and those of three always.
    private func insertSchedules(ticks: Int) async throws {
        let slow = ticks / 100
        _ = try await query(
            """
            WITH fresh AS (
                INSERT INTO schedule (name, every, next_at, ticks, work, fails)
                SELECT 'payout ' || n, interval '100 ms', clock_timestamp() + n * interval '5 ms',
                    \((ticks - slow) / 18) + (n < \((ticks - slow) % 18))::int, n * interval '1 ms',
                    (n = 17)::int
                FROM generate_series(0, 17) AS n
                UNION ALL
                SELECT 'report', interval '200 ms', clock_timestamp(), \(slow),
                    interval '\(limits.lease * 1.5 / .milliseconds(1)) ms', 0
                WHERE \(slow) > 0
                UNION ALL
                SELECT 'broken ' || n, interval '10 ms', clock_timestamp(), \(Self.deadLetters / 3),
                    interval '0', 1000
                FROM generate_series(1, 3) AS n
                UNION ALL
                SELECT 'postponed', interval '1 s', clock_timestamp() + interval '1 hour', 1,
                    interval '0', 0
                RETURNING name
            )
            INSERT INTO account (schedule) SELECT name FROM fresh
            """)
    }

    /// Ticks of schedules whose jobs always fail, while processes are killed.
    private static let deadLetters = 6

    private func isDone() async throws -> Bool {
        let open = "next_at < 'infinity' AND name <> 'postponed'"
        return try await query("SELECT FROM schedule WHERE \(open)").isEmpty
    }

    private func allAreConnected() async throws -> Bool {
        let names = servers.map { "'schedules-\($0.id)'" }.joined(separator: ", ")
        let connected = try await query(
            """
            SELECT DISTINCT application_name FROM pg_stat_activity
            WHERE application_name IN (\(names))
            """)
        return connected.count == servers.count
    }

    /// Kills and stops processes at random moments, until the task is cancelled.
    private func disturb() async throws {
        while (try? await loop.clock.sleep(
            for: random.time(in: .milliseconds(10)...(.milliseconds(200))))) != nil
        {
            let victim = Int.random(in: servers.indices, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<3: try await crashDatabase()
            case 3..<6: try await killDatabase()
            case 6..<15: await freeze(servers[victim])
            default:
                let isInClaim = try await query(
                    """
                    SELECT FROM pg_stat_activity WHERE application_name = $1
                    AND xact_start IS NOT NULL
                    """, ["schedules-\(servers[victim].id)"])
                servers[victim].send(SIGKILL)
                servers[victim].wait()
                kills += 1
                if !isInClaim.isEmpty { killsInClaims += 1 }
                close(servers[victim].input)
                servers[victim] = try Child(["serve"])
            }
        }
    }

    /// Stops a process for longer than its lease. It goes on as if nothing had happened.
    private func freeze(_ server: Child) async {
        server.send(SIGSTOP)
        stops += 1
        try? await loop.clock.sleep(for: limits.lease * 2)
        server.send(SIGCONT)
    }

    /// Kills a process of PostgreSQL, which then ends all connections and recovers.
    private func crashDatabase() async throws {
        let ids = try await connections().sorted()
        if let id = ids.randomElement(using: &random), kill(id, SIGKILL) == 0 { crashes += 1 }
    }

    /// Kills PostgreSQL's first process. `run` starts another server.
    private func killDatabase() async throws {
        if kill(try await firstProcess(), SIGKILL) == 0 { restarts += 1 }
    }

    private func check(ticks: Int) async throws {
        let found = try await query(
            """
            SELECT
                (SELECT count(*) FROM schedule, generate_series(0, ticks - 1) AS n WHERE NOT EXISTS
                    (SELECT FROM tick WHERE tick.schedule = schedule.name AND tick.number = n)
                    AND schedule.fails < schedule.attempts),
                (SELECT count(*) - count(DISTINCT (schedule, number)) FROM tick),
                (SELECT (sum(balance) / 5)::bigint FROM account),
                (SELECT count(*) FROM tick WHERE fired_at < due),
                (SELECT count(*) FROM tick),
                (SELECT round(1000 * extract(epoch FROM
                    percentile_cont(0.5) WITHIN GROUP (ORDER BY fired_at - due)), 1) FROM tick),
                (SELECT round(1000 * extract(epoch FROM max(fired_at - due))) FROM tick),
                (SELECT count(*) FROM dead_letter JOIN schedule ON name = schedule
                    WHERE dead_letter.attempts = schedule.attempts AND fails >= dead_letter.attempts),
                (SELECT count(*) FROM dead_letter)
            """)
        let figures = found.first?.map { $0 ?? "none" } ?? []
        guard figures.count == 9 else { fail("the database has no figures") }
        say(
            """
            lost: \(figures[0]) · twice: \(figures[1]) · effects: \(figures[2]) · early: \(figures[3])
            dead letters: \(figures[8])
            late, with the job's own time: median \(figures[5]) ms, at most \(figures[6]) ms
            """)
        expect(figures[0] == "0", "no tick is lost")
        expect(figures[1] == "0", "no tick has fired twice")
        expect(figures[2] == "\(ticks)", "each tick has had its effect once")
        expect(figures[3] == "0", "no tick is early")
        expect(figures[4] == "\(ticks)", "there are as many ticks as were scheduled")
        expect(
            figures[7] == "\(Self.deadLetters + 1)" && figures[8] == figures[7],
            "each tick whose job always fails is a dead letter after all of its attempts")
    }
}
