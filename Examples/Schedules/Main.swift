// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
internal import ServiceLifecycle
internal import Swivel
internal import SwivelSchedules
internal import Trials
internal import UnixSignals

/// `serve` fires the schedules that the database has, until SIGTERM; `mail` only the mails, through
/// PgBouncer. Without either, a trial starts several such servers.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        switch options.words.first {
        case "serve": try await serve(options, .postgreSQL(), transactions: true)
        case "mail": try await serve(options, Pooler.store, transactions: false)
        default: try await Trial(options, seed: options.seed).run()
        }
    }

    /// A server, as a program of yours would have one.
    private static func serve(
        _ options: Options, _ store: ScheduleStore, transactions: Bool
    ) async throws {
        var logger = Logger(label: "schedules \(getpid())")
        logger.logLevel = .critical
        var runner = ScheduleRunner(store, logger: logger)
        // Ten of the jobs keep a connection for longer than the lease.
        runner.connections = 12
        runner.lease = options[seconds: "lease", default: .milliseconds(300)]
        runner.drainLimit = options[seconds: "drain", default: .seconds(5)]
        runner.atLeastOnce("mail") { tick in
            try Outbox.add(tick.idempotencyKey)
            try await Task.sleep(for: .milliseconds(2))
        }
        if transactions { addTransactions(to: &runner) }

        let group = ServiceGroup(
            services: [runner], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // The trial's end, whatever ended it, is this program's.
        Loop.shared.watch(STDIN_FILENO, for: .hangUp) { event in
            if event.hasHungUp { Task { await group.triggerGracefulShutdown() } }
        }
        try await group.run()
    }

    /// The jobs that are transactions, which go past PgBouncer.
    private static func addTransactions(to runner: inout ScheduleRunner) {
        runner.exactlyOnce("payout") { tick, transaction in
            let payout = try tick.arguments(Payout.self)
            try await transaction.query(
                "UPDATE account SET balance = balance + 5 WHERE name = $1", [payout.account])
            try await Task.sleep(for: .milliseconds(payout.milliseconds))
        }
        runner.exactlyOnce("broken") { tick, transaction in
            try await transaction.query(
                "UPDATE account SET balance = balance + 1000 WHERE name = $1", [tick.schedule])
            throw Broken(attempt: tick.attempt)
        }
    }
}

/// The same database through PgBouncer, whose address `with-database` has set.
enum Pooler {
    private static let address = ProcessInfo.processInfo.environment["POOLER"] ?? ""
    static let store = ScheduleStore.postgreSQL(address, isPooled: true)
}

/// The arguments of a payout.
struct Payout: Codable {
    let account: String
    /// How long the job takes beside its statement.
    let milliseconds: Int
}

/// The failure of an attempt, in the trial.
struct Broken: Error, CustomStringConvertible {
    let attempt: Int
    var description: String { "attempt \(attempt) has failed, as the trial wants it to" }
}

/// Effects outside of the database: a line for each mail, in a file that all processes share.
enum Outbox {
    static let path = ProcessInfo.processInfo.environment["TRIAL_OUTBOX"] ?? "/dev/null"

    static func add(_ key: String) throws {
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        let line = Array("\(key)\n".utf8)
        guard write(file, line, line.count) == line.count else { throw POSIXError(.EIO) }
    }
}
