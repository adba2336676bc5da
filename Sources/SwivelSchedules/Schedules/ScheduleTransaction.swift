// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import SwivelCore

/// The transaction in which a tick fires: what a job writes in it becomes visible together with the
/// note that the tick has fired, or not at all.
///
/// **Thread:** any task, until the job returns or is given up; later calls throw.
public final class ScheduleTransaction: Sendable {
    private struct State {
        /// The job has used it.
        var isUsed = false
        /// One of its statements has failed.
        var hasFailed = false
        var isOver = false
    }

    private static let isOver = "the transaction is over: its job was given up or has ended"
    private let session: any StoreSession
    private let limit: Duration
    private let state = Lock(State())
    /// One statement at a time.
    private let turn = ConcurrencyLimit(1)

    init(_ session: any StoreSession, limit: Duration) {
        self.session = session
        self.limit = limit
    }

    /// Runs `sql`, a statement with `parameters` for `$1`, `$2` and so on (`?1`, `?2` in SQLite), as text.
    /// The database must not be told to begin, commit or roll back: the schedule does that.
    ///
    /// Cancelling the task cancels the statement.
    ///
    /// - Returns: The rows, as text; `nil`: null.
    /// - Throws: The database's error. The tick then counts as failed, and nothing of it stays,
    ///   whatever the job returns.
    /// - Complexity: A round trip to the database; the first call three.
    @discardableResult
    public func query(_ sql: String, _ parameters: [String?] = []) async throws -> [[String?]] {
        do {
            return try await turn.run {
                let isFirst: Bool? = state.withLock { state in
                    if state.isOver { return nil }
                    defer { state.isUsed = true }
                    return !state.isUsed
                }
                guard let isFirst else { throw ScheduleError(Self.isOver) }
                do {
                    if isFirst { try await session.beginJob(limit: limit) }
                    return try await session.query(sql, parameters, limit: limit)
                } catch {
                    state.withLock { $0.hasFailed = true }
                    throw error
                }
            }
        } catch {
            // It was cancelled before its turn, which the job may hide.
            state.withLock { state in if !state.isOver { state.hasFailed = true } }
            throw error
        }
    }

    /// Ends the job's part. False: it was to be kept, and is not, because a statement has failed.
    func end(keeping: Bool) async throws -> Bool {
        state.withLock { $0.isOver = true }
        try await turn.run {}  // After the statement that may run.
        let (isUsed, hasFailed) = state.withLock { ($0.isUsed, $0.hasFailed) }
        if isUsed { try await session.endJob(keeping: keeping && !hasFailed) }
        return !keeping || !hasFailed
    }
}
#endif
