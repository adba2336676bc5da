// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
package import Foundation
package import SwivelCore

/// A database that holds schedules.
package protocol Store: Sendable {
    /// Connects, within the store's time limit.
    ///
    /// - Parameters:
    ///   - lease: How long a silent process keeps the ticks that it claimed in a transaction.
    ///   - wake: Called on `loop` if schedules may have changed, and when the session is lost.
    func connect(
        lease: Duration, on loop: Loop, wake: @escaping @Sendable () -> Void
    ) async throws -> any StoreSession
    /// Whether exactly-once jobs can run: a pooler of connections cannot keep a transaction's lease.
    var hasTransactions: Bool { get }

    /// A process will not end the claims of these schedules any more.
    func abandon(_ ids: [Int64])

    /// Applies the migrations that are missing.
    func migrate(on loop: Loop) async throws
    /// Calls `body` with a session for an administrator.
    func administer<R: Sendable>(
        on loop: Loop, _ body: @Sendable (any StoreAdministration) async throws -> R
    ) async throws -> R
}

/// The operations of administrators.
package protocol StoreAdministration: Sendable {
    /// The store's present.
    func now() async throws -> Date
    /// Adds a schedule, or changes it if it differs from its row. Its next tick stays if its
    /// recurrence does.
    func set(_ row: ScheduleRow, first: Date?) async throws
    func remove(_ name: String) async throws -> Bool
    func setEnabled(_ isEnabled: Bool, _ name: String) async throws -> Bool
    func makeDue(_ name: String) async throws -> Bool
    func cancel(_ name: String) async throws -> Bool
    func retry(_ name: String, tick: Int64, as definition: String) async throws -> Bool
    func list() async throws -> [ScheduleStatus]
    func discarded(limit: Int) async throws -> [DiscardedTick]
}

/// A schedule, as its row has it.
package struct ScheduleRow: Sendable {
    package let name: String
    package let job: String
    package let definition: String
    package let arguments: String
    package let priority: Int
    package let isEnabled: Bool
}

/// A connection to a store. All instants are the store's: the clocks of processes differ.
package protocol StoreSession: Sendable {
    /// Whether the store can notify the session of changes of schedules.
    var canListen: Bool { get }
    /// Lets the store do so, by ``Store/connect(lease:on:wake:)``'s closure.
    func listen() async throws

    /// Begins a transaction and claims due ticks in it, the highest priority first.
    func begin(_ jobs: [String], limit: Int) async throws -> [Claim]
    /// Begins the part of the transaction that belongs to one job.
    func beginJob(limit: Duration) async throws
    /// Ends that part. A ``ScheduleError``: the job has ended the transaction itself.
    func endJob(keeping: Bool) async throws
    /// Writes changes and commits. A ``ScheduleError``: that cannot be done, and all is undone.
    func commit(_ changes: [Change]) async throws
    func rollback() async throws
    /// Shows the store that this session's process works.
    func beat() async throws

    /// Claims due ticks until their lease ends.
    func lease(
        _ jobs: [String], limit: Int, to holder: String, for lease: Duration
    ) async throws -> [Claim]
    /// Extends leases, holders by schedule. Returns the schedules whose lease has not been lost.
    func renew(_ leases: [Int64: String], for lease: Duration) async throws -> Set<Int64>
    /// Writes those changes whose claim is still valid. Returns the schedules that somebody else
    /// has locked, to be tried again. A ``ScheduleError``: a change can never be written.
    func apply(_ changes: [Change]) async throws -> Set<Int64>

    /// The time to the next tick of these jobs; `nil`: there is none.
    func timeToNext(of jobs: [String]) async throws -> Duration?
    /// Those of the schedules whose tick somebody has asked to cancel, with its number.
    func cancelled(_ ids: [Int64]) async throws -> [Int64: Int64]
    /// The jobs of ticks that are due and that `jobs` does not have.
    func unknown(_ jobs: [String]) async throws -> [String]
    /// Removes ticks that ended longer ago than `age` and cannot be claimed again, `limit` at most.
    /// Returns their number.
    func prune(after age: Duration, limit: Int) async throws -> Int

    /// Runs a statement of a job. Cancelling the task cancels it.
    func query(_ sql: String, _ parameters: [String?], limit: Duration) async throws -> [[String?]]
    func close() async
}

/// A tick that a process has claimed.
package struct Claim: Sendable {
    package let id: Int64
    package let schedule: String
    package let job: String
    /// Of the tick, from 0.
    package let number: Int64
    /// The tick's part of the idempotency key: a retry has that of the tick itself.
    package let key: String
    /// The instant for which the schedule waits, and the store's present.
    package let due: Date
    package let now: Date
    /// Attempts that have failed.
    package let failures: Int
    /// An attempt has begun, and has failed, was given back, or had its lease end.
    package let hasBegun: Bool
    package let arguments: String
    /// A ``Definition``, as text.
    package let definition: String

    package init(
        id: Int64, schedule: String, job: String, number: Int64, key: String, due: Date, now: Date,
        failures: Int, hasBegun: Bool, arguments: String, definition: String
    ) {
        (self.id, self.schedule, self.job, self.number) = (id, schedule, job, number)
        (self.key, self.due, self.now, self.failures) = (key, due, now, failures)
        self.hasBegun = hasBegun
        (self.arguments, self.definition) = (arguments, definition)
    }
}

/// The end of a claim, as it is written.
package struct Change: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// The tick has ended, and gets a row of its own.
        case done, discarded, cancelled
        /// It has another attempt later.
        case failed
        /// It does not fire: the schedule waits for a later instant.
        case skipped
        /// It is due again, without a failure.
        case returned
    }

    package let kind: Kind
    package let id: Int64
    package let number: Int64
    /// Before this attempt.
    package let failures: Int
    /// The lease's holder; `nil`: the claim is a transaction's.
    package var holder: String?
    package var error: String?
    /// Microseconds since 1970: the instant at which the schedule waited, and that of the tick, which
    /// is later if ticks were missed.
    package let claimed: Int64
    package let due: Int64
    /// The instant of the schedule's next tick; `nil`: it was the last one.
    package var next: Int64?
    /// Milliseconds until the next attempt.
    package var wait: Int64?
}

extension Date {
    /// Microseconds since 1970, which is what PostgreSQL keeps.
    package var microseconds: Int64 {
        let number = (timeIntervalSince1970 * 1_000_000).rounded()
        return number.isNaN ? 0 : Int64(min(max(number, -9e18), 9e18))
    }

    package init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}

extension Duration {
    /// Rounded down, at least one, and at most what PostgreSQL takes as a time limit: 23 days.
    var wholeMilliseconds: Int64 {
        max(1, Int64(min(self, .seconds(2_000_000)) / .milliseconds(1)))
    }
}
#endif
