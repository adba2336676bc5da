// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelSimulation

@testable import SwivelSchedules

/// The simplest store that keeps a store's promises, in memory. Each call takes a while of the
/// world's time, and may find its connection lost, before it has had its effect or after it.
///
/// **Thread:** a world's.
final class MemoryStore: @unchecked Sendable {
    // because one thread runs a world.
    struct Row {
        let id: Int64
        let name: String
        let job: String
        let definition: String
        var next: Date?
        var number: Int64 = 0
        var failures = 0
        var retry = Date.distantPast
        var holder: String?
        var lease = Date.distantPast
        /// The session in whose transaction it is claimed.
        var lock: ObjectIdentifier?

        var due: Date? { next.map { max($0, retry, lease) } }
    }

    struct Tick {
        let schedule: String
        let number: Int64
        let kind: Change.Kind
        let attempts: Int
    }

    var rows: [Row] = []
    private(set) var ticks: [Tick] = []
    /// Effects of transactions that were committed.
    private(set) var effects: [String] = []
    /// The world's.
    var random = SystemRandomNumberGenerator()
    /// How often the end of a schedule's tick cannot be written, whatever is written with it.
    var refusals: [String: Int] = [:]
    /// How often a call finds its connection lost.
    var lossOfConnections = 0.0
    fileprivate var sessions: [MemorySession] = []

    func add(_ schedule: Schedule) throws {
        rows.append(
            Row(
                id: Int64(rows.count + 1), name: schedule.name, job: schedule.job,
                definition: try schedule.definition(),
                next: schedule.recurrence.first(from: Date())))
    }

    fileprivate func loses() -> Bool {
        Double.random(in: 0..<1, using: &random) < lossOfConnections
    }

    /// The rows of these changes that are claimed in the transaction of another session.
    fileprivate func locked(_ changes: [Change], for session: MemorySession) -> Set<Int64> {
        let others = rows.filter { $0.lock != nil && $0.lock != ObjectIdentifier(session) }
        return Set(others.map(\.id)).intersection(changes.map(\.id))
    }

    /// Throws if one of the changes cannot be written now.
    fileprivate func refuse(_ changes: [Change]) throws {
        for row in rows where changes.contains(where: { $0.id == row.id }) {
            guard let count = refusals[row.name], count > 0 else { continue }
            if changes.count == 1 { refusals[row.name] = count - 1 }
            throw ScheduleError("this cannot be written")
        }
    }

    /// Returns how many of the changes fit their rows.
    fileprivate func apply(_ changes: [Change], _ written: [String]) throws -> Int {
        var count = 0
        for change in changes {
            guard let index = rows.firstIndex(where: { $0.id == change.id }),
                rows[index].number == change.number, rows[index].failures == change.failures,
                rows[index].holder == change.holder
            else { continue }
            count += 1
            rows[index].holder = nil
            rows[index].lease = .distantPast
            let next = change.next.map { Date(microseconds: $0) }
            switch change.kind {
            case .done, .discarded, .cancelled:
                let tick = Tick(
                    schedule: rows[index].name, number: change.number, kind: change.kind,
                    attempts: change.failures + 1)
                if ticks.contains(where: {
                    $0.schedule == tick.schedule && $0.number == tick.number
                }) {
                    throw ScheduleError("the key exists")
                }
                ticks.append(tick)
                rows[index].number += 1
                rows[index].failures = 0
                rows[index].retry = .distantPast
                rows[index].next = next
            case .failed:
                rows[index].failures += 1
                rows[index].retry = Date() + Double(change.wait ?? 0) / 1_000
                rows[index].next = Date(microseconds: change.due)
            case .skipped:
                rows[index].retry = .distantPast
                rows[index].next = next
            case .returned:
                rows[index].retry = Date()
                rows[index].next = Date(microseconds: change.due)
            }
        }
        effects += written
        return count
    }

    /// Ends sessions, as a crash of their process does, or of the database.
    func endSessions(where isEnded: (MemorySession) -> Bool) {
        for session in sessions where isEnded(session) { session.lose() }
    }

    fileprivate func unlock(_ session: MemorySession) {
        for index in rows.indices where rows[index].lock == ObjectIdentifier(session) {
            rows[index].lock = nil
        }
    }

    fileprivate func forget(_ session: MemorySession) { sessions.removeAll { $0 === session } }

    /// A process's view of it.
    struct Client: Store {
        let store: MemoryStore
        let process: Int
        /// The process has been killed.
        let isDead: @Sendable () -> Bool

        var hasTransactions: Bool { true }

        func connect(
            lease: Duration, on loop: Loop, wake: @escaping @Sendable () -> Void
        ) async throws -> any StoreSession {
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...5, using: &store.random)))
            if isDead() || store.loses() { throw Lost() }
            let session = MemorySession(store, process, lease, wake)
            store.sessions.append(session)
            return session
        }

        func abandon(_ ids: [Int64]) {}
        func migrate(on loop: Loop) async throws {}

        func administer<R: Sendable>(
            on loop: Loop, _ body: @Sendable (any StoreAdministration) async throws -> R
        ) async throws -> R { throw ScheduleError("not here") }
    }
}

private struct Lost: Error {}

final class MemorySession: StoreSession, @unchecked Sendable {
    // because one thread runs a world.
    let process: Int
    private let store: MemoryStore
    private let lease: Duration
    private let wake: @Sendable () -> Void
    private var isLost = false
    /// Effects of the present transaction, and how many of them the present job found.
    private var written: [String] = []
    private var kept = 0
    private var isOpen = false
    private var heard = Date()

    init(
        _ store: MemoryStore, _ process: Int, _ lease: Duration,
        _ wake: @escaping @Sendable () -> Void
    ) {
        (self.store, self.process, self.lease, self.wake) = (store, process, lease, wake)
    }

    var canListen: Bool { false }
    func listen() async throws {}

    func lose() {
        if isLost { return }
        isLost = true
        written = []
        store.unlock(self)
        store.forget(self)
        wake()
    }

    private func call<R>(_ body: () throws -> R) async throws -> R {
        // The calls of a session go one after another in a real one; here they take no turns, and
        // none of them depends on it.
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...3, using: &store.random)))
        // The server ends a transaction of which it has heard nothing for the lease.
        if isOpen, Date().timeIntervalSince(heard) > lease / .seconds(1) { lose() }
        heard = Date()
        if !isLost, store.loses() { lose() }
        if isLost { throw Lost() }
        let result = try body()
        if store.loses() {
            lose()
            throw Lost()
        }
        return result
    }

    private func claims(_ jobs: [String], _ limit: Int, _ take: (inout MemoryStore.Row) -> Void)
        -> [Claim]
    {
        let now = Date()
        let due = store.rows.indices.filter { index in
            let row = store.rows[index]
            return jobs.contains(row.job) && row.lock == nil && (row.due.map { $0 <= now } ?? false)
        }
        return due.prefix(limit).compactMap { index in
            take(&store.rows[index])
            let row = store.rows[index]
            guard let next = row.next else { return nil }
            return Claim(
                id: row.id, schedule: row.name, job: row.job, number: row.number,
                key: "\(row.name)/\(row.number)", due: next, now: now, failures: row.failures,
                hasBegun: row.retry > .distantPast, arguments: "null", definition: row.definition)
        }
    }

    func begin(_ jobs: [String], limit: Int) async throws -> [Claim] {
        try await call {
            (isOpen, written, kept) = (true, [], 0)
            return claims(jobs, limit) { $0.lock = ObjectIdentifier(self) }
        }
    }

    func beginJob(limit: Duration) async throws { try await call { kept = written.count } }

    func endJob(keeping: Bool) async throws {
        try await call { if !keeping { written.removeLast(written.count - kept) } }
    }

    func commit(_ changes: [Change]) async throws {
        try await call {
            guard try store.apply(changes, written) == changes.count else {
                throw ScheduleError("a claim has ended before its transaction")
            }
            end()
        }
    }

    func rollback() async throws { try await call { end() } }

    private func end() {
        (isOpen, written) = (false, [])
        store.unlock(self)
    }

    func beat() async throws { try await call {} }

    func lease(
        _ jobs: [String], limit: Int, to holder: String, for lease: Duration
    ) async throws -> [Claim] {
        try await call {
            claims(jobs, limit) { row in
                if row.holder != nil { row.retry = row.lease }
                row.holder = holder
                row.lease = Date() + lease / .seconds(1)
            }
        }
    }

    func renew(_ leases: [Int64: String], for lease: Duration) async throws -> Set<Int64> {
        try await call {
            var kept: Set<Int64> = []
            for index in store.rows.indices {
                guard let holder = leases[store.rows[index].id], store.rows[index].holder == holder
                else { continue }
                store.rows[index].lease = Date() + lease / .seconds(1)
                kept.insert(store.rows[index].id)
            }
            return kept
        }
    }

    func apply(_ changes: [Change]) async throws -> Set<Int64> {
        try await call {
            try store.refuse(changes)
            let locked = store.locked(changes, for: self)
            _ = try store.apply(changes.filter { !locked.contains($0.id) }, [])
            return locked
        }
    }

    func timeToNext(of jobs: [String]) async throws -> Duration? {
        try await call {
            store.rows.filter { jobs.contains($0.job) }.compactMap(\.due).min().map {
                .seconds($0.timeIntervalSince(Date()))
            }
        }
    }

    func cancelled(_ ids: [Int64]) async throws -> [Int64: Int64] { try await call { [:] } }
    func unknown(_ jobs: [String]) async throws -> [String] { try await call { [] } }
    func prune(after age: Duration, limit: Int) async throws -> Int { 0 }

    func query(
        _ sql: String, _ parameters: [String?], limit: Duration
    ) async throws -> [[String?]] {
        try await call {
            written.append(sql)
            return []
        }
    }

    func close() async { lose() }
}
