// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ
internal import Foundation
internal import Swivel

/// A connection to PostgreSQL. A loop watches its socket, and the actor lives on that loop: nothing
/// here blocks a thread. libpq takes the server's address from `PGHOST` and its like.
actor Database {
    typealias Row = [String?]

    private struct Statement {
        let sql: String
        let parameters: [String]
        let answer: CheckedContinuation<[Row], any Error>
    }

    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private nonisolated(unsafe) let connection: OpaquePointer
    // because only the actor uses it, and the deinit, which comes after all of that.
    private let wakes: @Sendable () -> Void
    private var watch: Watch?
    /// How long a statement may be under way, and what ends the connection after that: a server
    /// behind a broken network does not answer at all.
    private let limit: Duration
    private var silence: LoopTimer?
    /// The first of them is under way.
    private var statements: [Statement] = []
    private var rows: [Row] = []
    private var failure: DatabaseError?

    /// Connects. The caller limits the time: cancelling the task ends it.
    ///
    /// - Parameters:
    ///   - limit: How long a statement may take before the connection counts as lost.
    ///   - wakes: Called when there is a notification, and when the connection is lost.
    init(
        named name: String, limit: Duration, on loop: Loop, wakes: @escaping @Sendable () -> Void
    ) async throws {
        guard let connection = PQconnectStart("application_name=\(name)") else {
            throw DatabaseError("there is no memory for a connection", isOfConnection: true)
        }
        self.loop = loop
        self.connection = connection
        self.wakes = wakes
        self.limit = limit
        try await connect()
        silence = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.giveUp() } }
    }

    deinit {
        watch?.cancel()
        silence?.disarm()
        PQfinish(connection)
    }

    /// Each step says for what to wait before the next one. Steps may use different sockets.
    private func connect() async throws {
        guard PQstatus(connection) != CONNECTION_BAD else { throw DatabaseError(connection) }
        var interest = Readiness.writable
        repeat {
            var events = loop.events(of: PQsocket(connection), for: interest).makeAsyncIterator()
            guard let event = await events.next() else { throw CancellationError() }
            if let error = event.error { throw error }
            switch PQconnectPoll(connection) {
            case PGRES_POLLING_OK: interest = []
            case PGRES_POLLING_READING: interest = .readable
            case PGRES_POLLING_WRITING: interest = .writable
            default: throw DatabaseError(connection)
            }
        } while !interest.isEmpty
        PQsetnonblocking(connection, 1)
        PQsetNoticeProcessor(connection, { _, _ in }, nil)  // The errors say it again.
        watch = loop.watch(PQsocket(connection)) { [weak self] event in
            self?.assumeIsolated { $0.hear(event) }
        }
    }

    /// Runs a statement. Several run one after the other.
    @discardableResult
    func query(_ sql: String, _ parameters: [String] = []) async throws -> [Row] {
        try await withCheckedThrowingContinuation { answer in
            statements.append(Statement(sql: sql, parameters: parameters, answer: answer))
            if statements.count == 1 { send() }
        }
    }

    private func send() {
        guard let statement = statements.first else { return }
        let parameters = statement.parameters.map { strdup($0) }
        defer { parameters.forEach { free($0) } }
        let status = PQsendQueryParams(
            connection, statement.sql, Int32(parameters.count), nil,
            parameters.map { UnsafePointer($0) }, nil, nil, 0)
        // The database's own limit comes first, and keeps the connection.
        silence?.arm(after: limit + .seconds(1))
        status == 1 ? flush() : lose()
    }

    private func flush() {
        switch PQflush(connection) {
        case 0: watch?.rearm(for: .readable)
        case 1: watch?.rearm(for: [.readable, .writable])
        default: lose()
        }
    }

    /// The socket is ready.
    private func hear(_ event: WatchEvent) {
        guard event.error == nil, PQconsumeInput(connection) == 1 else { return lose() }
        while let notice = PQnotifies(connection) {
            PQfreemem(notice)
            wakes()
        }
        while !statements.isEmpty, PQisBusy(connection) == 0 {
            if let result = PQgetResult(connection) {
                take(result)
                PQclear(result)
            } else {
                finish()
            }
        }
        if event.ready.contains(.writable) { flush() }
    }

    private func take(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK: break
        case PGRES_TUPLES_OK:
            let columns = 0..<PQnfields(result)
            rows += (0..<PQntuples(result)).map { row in
                columns.map { column in
                    if PQgetisnull(result, row, column) == 1 { return nil }
                    return PQgetvalue(result, row, column).map { String(cString: $0) }
                }
            }
        default: failure = DatabaseError(result: result)
        }
    }

    /// The first statement is over: the next one begins.
    private func finish() {
        let result = failure.map { Result<[Row], any Error>.failure($0) } ?? .success(rows)
        (rows, failure) = ([], nil)
        statements.removeFirst().answer.resume(with: result)
        silence?.disarm()
        send()
    }

    /// The database has not answered in time.
    private func giveUp() {
        lose(DatabaseError("no answer from the database", isOfConnection: true))
    }

    /// The connection is gone. Statements that come later fail in `send()`.
    private func lose(_ reason: DatabaseError? = nil) {
        let error = reason ?? DatabaseError(connection)
        watch?.cancel()
        silence?.disarm()
        let lost = statements
        statements = []
        for statement in lost { statement.answer.resume(throwing: error) }
        wakes()
    }
}

struct DatabaseError: Error, CustomStringConvertible {
    let description: String
    /// Whether the connection is at fault, not the statement.
    let isOfConnection: Bool

    /// A statement has failed.
    init(result: OpaquePointer) {
        let field = PQresultErrorField(result, Int32(UInt8(ascii: "C")))  // PG_DIAG_SQLSTATE
        let state = field.map { String(cString: $0) } ?? ""
        // Connection exceptions, and the operator's or a crash's intervention.
        self.init(
            String(cString: PQresultErrorMessage(result)),
            isOfConnection: state.hasPrefix("08") || state.hasPrefix("57P"))
    }

    /// There is no connection, or no longer one.
    init(_ connection: OpaquePointer) {
        self.init(String(cString: PQerrorMessage(connection)), isOfConnection: true)
    }

    init(_ message: String, isOfConnection: Bool) {
        description = message.split(separator: "\n").first.map(String.init) ?? "no reason is known"
        self.isOfConnection = isOfConnection
    }
}
