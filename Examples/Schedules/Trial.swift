// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import SwivelSchedules
internal import Trials

/// Several servers share schedules, and are killed, stopped and continued all the time, as is the
/// database. In the end each tick must have fired as its job promises.
final class Trial {
    private let options: Options
    private let lease: Duration
    private let time: Duration
    private var random: SeededRandom
    private var servers: [Child] = []
    /// Stopped servers, and when they go on.
    private var stopped: [(server: Child, until: ContinuousClock.Instant)] = []
    private var counts: [String: Int] = [:]
    private let store = ScheduleStore.postgreSQL()

    init(_ options: Options, seed: UInt64) {
        self.options = options
        lease = options[seconds: "lease", default: .milliseconds(300)]
        time = options[seconds: "seconds", default: .seconds(30)]
        random = SeededRandom(seed: seed)
        say("seed \(seed)")
    }

    func run() async throws {
        try await prepare()
        for index in 0..<max(options["processes", default: 4], 1) {
            servers.append(try serve(index))
        }
        let end = ContinuousClock.now + time
        let leastKills = options["kills", default: 0]
        while ContinuousClock.now < end || counts["kills", default: 0] < leastKills {
            try await disturb()
            try await Task.sleep(for: random.time(in: .milliseconds(10)...(.milliseconds(200))))
        }
        for (server, _) in stopped { server.send(SIGCONT) }
        try await settle()
        try await drain()
        try await check()
    }

    /// Every third server sees the database through PgBouncer.
    private func serve(_ index: Int) throws -> Child {
        try Child([index % 3 == 2 ? "mail" : "serve", "--lease", "\(lease / .seconds(1))"])
    }

    // MARK: Schedules

    private static let everyTick = Duration.milliseconds(100)

    private func prepare() async throws {
        try await store.migrate()
        _ = try await SQL.run(
            """
            CREATE TABLE account (name text PRIMARY KEY, balance bigint NOT NULL DEFAULT 0);
            INSERT INTO account SELECT 'quick ' || n FROM generate_series(0, 19) n
            UNION ALL SELECT kind || n FROM generate_series(0, 9) n, (VALUES ('slow '), ('broken ')) k(kind)
            """)
        let start = Date.now
        var schedules: [Schedule] = []
        for number in 0..<20 {
            schedules.append(
                try Schedule(
                    "quick \(number)", job: "payout",
                    .every(Self.everyTick, startingAt: start + Double(number) * 0.007),
                    arguments: Payout(account: "quick \(number)", milliseconds: number % 5 * 3)))
            schedules.append(
                Schedule(
                    "mail \(number)", job: "mail",
                    .every(Self.everyTick, startingAt: start + Double(number) * 0.005)))
        }
        for number in 0..<10 {
            // The job takes longer than the lease.
            schedules.append(
                try Schedule(
                    "slow \(number)", job: "payout", .every(.seconds(2), startingAt: start),
                    arguments: Payout(
                        account: "slow \(number)", milliseconds: Int(lease * 1.5 / .milliseconds(1))
                    )))
            var broken = Schedule("broken \(number)", job: "broken", .every(.seconds(1)))
            broken.attempts = 3
            broken.backoff = .constant(.milliseconds(50))
            schedules.append(broken)
        }
        for index in schedules.indices { schedules[index].missed = .all }
        try await store.set(schedules)
    }

    // MARK: Trouble

    private func disturb() async throws {
        let now = ContinuousClock.now
        for (server, until) in stopped where until < now { server.send(SIGCONT) }
        stopped.removeAll { $0.until < now }
        let victim = Int.random(in: servers.indices, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<3: try await killDatabase(one: false)
        case 3..<6: try await killDatabase(one: true)
        case 6..<20:
            servers[victim].send(SIGSTOP)
            stopped.append(
                (servers[victim], now + lease * Double.random(in: 0.2...4, using: &random)))
            counts["stops", default: 0] += 1
        case 20..<50:
            let ended = try? SQL.rows(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = 'swivel-schedules' ORDER BY random() LIMIT 1
                """)
            counts["connections", default: 0] += ended?.count ?? 0
        default:
            let server = servers[victim]
            server.send(SIGKILL)
            server.wait()
            stopped.removeAll { $0.server.id == server.id }
            close(server.input)
            counts["kills", default: 0] += 1
            servers[victim] = try serve(victim)
        }
    }

    /// Kills a process of PostgreSQL, which then ends all connections and recovers, or its first
    /// process. `with-database` starts another server.
    private func killDatabase(one: Bool) async throws {
        let text =
            one
            ? "SELECT pid FROM pg_stat_activity WHERE application_name = 'swivel-schedules' LIMIT 1"
            : "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"
        guard let id = (try? SQL.rows(text))?.first?.first.flatMap({ pid_t($0) }),
            kill(id, SIGKILL) == 0
        else { return }
        counts[one ? "crashes" : "restarts", default: 0] += 1
    }

    // MARK: The end

    /// Without further trouble, all schedules catch up.
    private func settle() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await SQL.number(
            """
            SELECT count(*) FROM swivel_schedule WHERE job <> 'broken'
            AND next_at < clock_timestamp() - interval '1 s'
            """) > 0
        {
            if ContinuousClock.now > deadline {
                for schedule in try await store.list() { say("\(schedule)") }
                fail("the schedules do not catch up within a minute")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Ends the servers while they work.
    private func drain() async throws {
        for server in servers { server.send(SIGTERM) }
        for server in servers {
            expect(server.wait() == 0, "a server ends by itself after SIGTERM")
        }
    }

    private func check() async throws {
        let jobs = "swivel_tick t JOIN swivel_schedule s ON s.id = t.schedule WHERE job"
        let fired = try await SQL.number("SELECT count(*) FROM \(jobs) = 'payout'")
        let mails = try await SQL.number("SELECT count(*) FROM \(jobs) = 'mail'")
        let discarded = try await SQL.number("SELECT count(*) FROM \(jobs) = 'broken'")
        // Each schedule has as many notes as ticks, with the instants of its grid and no gap.
        let lost = try await SQL.number(
            """
            SELECT count(*) FROM swivel_schedule s, generate_series(0, number - 1) n
            WHERE NOT EXISTS (SELECT FROM swivel_tick t WHERE t.schedule = s.id AND t.number = n)
            """)
        let offGrid = try await SQL.number(
            """
            SELECT count(*) FROM (SELECT due - lag(due) OVER (PARTITION BY schedule ORDER BY t.number)
                - make_interval(secs => (definition#>>'{recurrence,kind,every,seconds}')::float8)
                AS gap
                FROM swivel_tick t JOIN swivel_schedule s ON s.id = t.schedule) g
            WHERE gap <> interval '0'
            """)
        let effects = try await SQL.number("SELECT (sum(balance) / 5)::bigint FROM account")
        let early = try await SQL.number("SELECT count(*) FROM swivel_tick WHERE fired_at < due")
        let wrong = try await SQL.number(
            """
            SELECT count(*) FROM \(jobs) = 'broken' AND (state <> 'discarded' OR attempts <> 3)
            OR job <> 'broken' AND state <> 'done'
            """)
        let late = try await SQL.run(
            """
            SELECT round(1000 * extract(epoch FROM
                percentile_cont(0.5) WITHIN GROUP (ORDER BY fired_at - due))) FROM \(jobs) = 'payout'
            """)
        let sent = try outbox()
        let missing = try await SQL.run(
            "SELECT 'swivel/' || s.id || '/' || t.number FROM \(jobs) = 'mail'"
        ).filter { !sent.keys.contains($0[0]) }
        say(
            """
            killed: \(count("kills")) · stopped: \(count("stops")) · connections ended: \
            \(count("connections")) · crashes of the database: \(count("crashes")), and starts anew: \
            \(count("restarts"))
            exactly once: \(fired) ticks, \(effects) effects · at least once: \(mails) ticks, \
            \(sent.values.reduce(0, +)) effects · discarded: \(discarded)
            lost: \(lost) · off the grid: \(offGrid) · early: \(early) · late: median \
            \(late[0][0]) ms
            """)
        expect(lost == 0, "no tick is lost")
        expect(offGrid == 0, "each tick has the instant of its number")
        expect(early == 0, "no tick is early")
        expect(fired > 0 && effects == fired, "each tick of 'payout' has its effect once")
        expect(mails > 0 && missing.isEmpty, "each tick of 'mail' has its effect")
        expect(discarded > 0 && wrong == 0, "only ticks of 'broken' fail, after all attempts")
    }

    /// How often each key has left the database.
    private func outbox() throws -> [String: Int] {
        let lines = try String(contentsOfFile: Outbox.path, encoding: .utf8).split(separator: "\n")
        return Dictionary(lines.map { (String($0), 1) }, uniquingKeysWith: +)
    }

    private func count(_ name: String) -> Int { counts[name, default: 0] }
}
