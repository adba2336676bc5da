// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL
internal import ArgumentParser
internal import Foundation
internal import SwivelSchedules

/// Shows and changes the schedules of a database.
@main
struct Tool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swivel-schedules",
        abstract: "Shows and changes the schedules of a PostgreSQL database.",
        subcommands: [
            List.self, Discarded.self, Run.self, Pause.self, Resume.self, Cancel.self, Retry.self,
            Remove.self, Migrate.self,
        ],
        defaultSubcommand: List.self)
}

/// The database.
struct DatabaseOption: ParsableArguments {
    @Option(help: "libpq's connection string. PGHOST and its like give the rest.")
    var database = ""

    var store: ScheduleStore { .postgreSQL(database) }
}

/// A command about one schedule.
protocol ScheduleCommand: AsyncParsableCommand {
    var database: DatabaseOption { get }
    var name: String { get }
    func run(_ store: ScheduleStore) async throws
}

extension ScheduleCommand {
    mutating func run() async throws { try await run(database.store) }
}

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the schedules: those that are due, running, failing, waiting or paused.")
    @OptionGroup var database: DatabaseOption
    @Option(help: "Only those in this state.") var state: String?

    func run() async throws {
        for schedule in try await database.store.list() {
            if let state, schedule.state.rawValue != state { continue }
            let next = schedule.next.map { $0.formatted(.iso8601) } ?? "-"
            var line =
                "\(schedule.state)\t\(schedule.name)\t\(schedule.job)\ttick \(schedule.number)\t\(next)"
            if schedule.failures > 0 {
                line += "\t\(schedule.failures) failed: \(schedule.error ?? "")"
            }
            print(line)
        }
    }
}

struct Discarded: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the ticks whose attempts have all failed, the latest first.")
    @OptionGroup var database: DatabaseOption
    @Option(help: "How many at most.") var limit = 100

    func run() async throws {
        for tick in try await database.store.discarded(limit: limit) {
            print(
                """
                \(tick.discarded.formatted(.iso8601))\t\(tick.schedule)\ttick \(tick.number)\t\
                \(tick.attempts) attempts\t\(tick.error)
                """)
        }
    }
}

struct Run: ScheduleCommand {
    static let configuration = CommandConfiguration(abstract: "Makes the next tick due now.")
    @OptionGroup var database: DatabaseOption
    @Argument var name: String
    func run(_ store: ScheduleStore) async throws { try await store.run(name) }
}

struct Pause: ScheduleCommand {
    static let configuration = CommandConfiguration(abstract: "Lets a schedule fire no more ticks.")
    @OptionGroup var database: DatabaseOption
    @Argument var name: String
    func run(_ store: ScheduleStore) async throws { try await store.pause(name) }
}

struct Resume: ScheduleCommand {
    static let configuration = CommandConfiguration(abstract: "Lets a schedule fire again.")
    @OptionGroup var database: DatabaseOption
    @Argument var name: String
    func run(_ store: ScheduleStore) async throws { try await store.resume(name) }
}

struct Cancel: ScheduleCommand {
    static let configuration = CommandConfiguration(abstract: "Cancels the job that runs.")
    @OptionGroup var database: DatabaseOption
    @Argument var name: String
    func run(_ store: ScheduleStore) async throws { try await store.cancel(name) }
}

struct Retry: ScheduleCommand {
    static let configuration = CommandConfiguration(abstract: "Has a discarded tick tried again.")
    @OptionGroup var database: DatabaseOption
    @Argument var name: String
    @Argument(help: "The tick's number.") var tick: Int64
    func run(_ store: ScheduleStore) async throws { try await store.retry(name, tick: tick) }
}

struct Remove: ScheduleCommand {
    static let configuration = CommandConfiguration(
        abstract: "Removes a schedule and the notes of its ticks.")
    @OptionGroup var database: DatabaseOption
    @Argument var name: String
    func run(_ store: ScheduleStore) async throws { try await store.remove(name) }
}

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates the tables, or changes those of an older version.")
    @OptionGroup var database: DatabaseOption
    @Flag(name: .customLong("print"), help: "Prints the statements and runs none.") var prints =
        false

    func run() async throws {
        if prints {
            for (index, sql) in ScheduleStore.postgreSQLMigrations.enumerated() {
                print("-- version \(index + 1)\n\(sql)")
            }
        } else {
            try await database.store.migrate()
        }
    }
}
#else
internal import Foundation

/// Without the trait there is no database.
@main
enum Tool {
    static func main() {
        print("swivel-schedules needs the trait: swift run --traits PostgreSQL swivel-schedules")
        exit(1)
    }
}
#endif
