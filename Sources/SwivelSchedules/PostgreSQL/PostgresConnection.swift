// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL
internal import CLibPQ
internal import Foundation
internal import SwivelCore

/// A connection to PostgreSQL. A loop watches its socket, and the actor lives on that loop: no
/// statement blocks a thread.
actor PostgresConnection {
    private struct Statement {
        let id: Int
        let sql: String
        let parameters: [String?]
        /// How long it may take before the connection counts as lost.
        let limit: Duration
        let isPrepared: Bool
        let answer: CheckedContinuation<[[String?]], any Error>
    }

    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private nonisolated(unsafe) let connection: OpaquePointer
    // because only the actor uses it, and the deinit, which comes after all of that.
    private let cancelKey: CancelKey
    private let wake: @Sendable () -> Void
    private var watch: Watch?
    /// Ends the connection when a statement has no answer: a server behind a broken network does not
    /// say that it is gone.
    private var silence: LoopTimer?
    /// The first of them has been sent, or waits for the end of a cancel.
    private var statements: [Statement] = []
    private var ids = 0
    /// A cancel has been sent, which must not reach the next statement.
    private var isCancelling = false
    /// The first statement has been sent.
    private var isSent = false
    private var rows: [[String?]] = []
    private var failure: PostgresError?
    /// The names of statements that the server has parsed.
    private var prepared: [String: String] = [:]
    private var preparing: String?
    /// Why the connection is of no more use.
    private var loss: PostgresError?

    /// Connects. Cancelling the task ends the attempt.
    ///
    /// - Parameter wake: Called when there is a notification, and when the connection is lost.
    static func open(
        _ address: String, on loop: Loop, wake: @escaping @Sendable () -> Void
    ) async throws -> PostgresConnection {
        // libpq looks the host's address up here, which blocks its thread.
        let started = await withCheckedContinuation { answer in
            WorkerPool.shared.execute { answer.resume(returning: Started(address)) }
        }
        guard let started else { throw PostgresError("there is no memory for a connection") }
        let connection = PostgresConnection(started.connection, on: loop, wake: wake)
        try await connection.connect()
        return connection
    }

    /// A connection that has begun, on its way to the loop.
    private struct Started: @unchecked Sendable {
        // because one thread after the other has it.
        let connection: OpaquePointer

        init?(_ address: String) {
            let (names, values) = (
                ["fallback_application_name", "client_encoding", "dbname"],
                ["swivel-schedules", "UTF8", address]
            )
            let words = (names + values).map { strdup($0) }
            defer { words.forEach { free($0) } }
            let pointers = words.map { UnsafePointer($0) }
            guard
                let connection = PQconnectStartParams(
                    Array(pointers[..<3]) + [nil], Array(pointers[3...]) + [nil], 1)
            else { return nil }
            self.connection = connection
        }
    }

    private init(
        _ connection: OpaquePointer, on loop: Loop, wake: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.connection = connection
        self.wake = wake
        cancelKey = CancelKey()
    }

    deinit {
        watch?.cancel()
        silence?.disarm()
        PQfinish(connection)
    }

    /// Each step says for what to wait before the next one. Steps may use different sockets.
    private func connect() async throws {
        guard PQstatus(connection) != CONNECTION_BAD else { throw PostgresError(connection) }
        var interest = Readiness.writable
        repeat {
            var events = loop.events(of: PQsocket(connection), for: interest).makeAsyncIterator()
            guard let event = await events.next() else { throw CancellationError() }
            if let error = event.error { throw error }
            switch PQconnectPoll(connection) {
            case PGRES_POLLING_OK: interest = []
            case PGRES_POLLING_READING: interest = .readable
            case PGRES_POLLING_WRITING: interest = .writable
            default: throw PostgresError(connection)
            }
        } while !interest.isEmpty
        PQsetnonblocking(connection, 1)
        PQsetNoticeProcessor(connection, { _, _ in }, nil)  // The errors say it again.
        cancelKey.learn(from: connection)
        silence = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.giveUp() } }
        watch = loop.watch(PQsocket(connection)) { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
    }

    /// Runs a statement. Several run one after the other.
    ///
    /// - Parameter isPrepared: Whether the server keeps the parsed statement for the next time.
    @discardableResult
    func query(
        _ sql: String, _ parameters: [String?] = [], limit: Duration, isPrepared: Bool = false,
        isCancellable: Bool = false
    ) async throws -> [[String?]] {
        if let loss { throw loss }
        if ([sql] + parameters).contains(where: { $0?.utf8.contains(0) == true }) {
            throw PostgresError("a text contains the character zero", state: "22021")
        }
        if isCancellable { try Task.checkCancellation() }
        ids += 1
        let id = ids
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer in
                statements.append(
                    Statement(
                        id: id, sql: sql, parameters: parameters, limit: limit,
                        isPrepared: isPrepared, answer: answer))
                if statements.count == 1 { send() }
            }
        } onCancel: {
            if isCancellable { Task { await self.cancel(id) } }
        }
    }

    /// Cancels a statement: one that waits does not run, and the server is asked by a connection of
    /// its own to end one that has been sent.
    private func cancel(_ id: Int) {
        guard let index = statements.firstIndex(where: { $0.id == id }) else { return }
        if index > 0 || !isSent {
            return statements.remove(at: index).answer.resume(throwing: CancellationError())
        }
        if isCancelling { return }
        isCancelling = true
        let key = cancelKey
        WorkerPool.shared.execute {
            key.cancel()
            Task { await self.cancelled() }
        }
    }

    private func cancelled() {
        isCancelling = false
        // The one that was cancelled may have ended before.
        if !isSent { send() }
    }

    func close() { lose(PostgresError("the connection is closed")) }

    private func send() {
        guard !isCancelling, let statement = statements.first else { return }
        isSent = true
        let parameters = statement.parameters.map { $0.flatMap { strdup($0) } }
        defer { parameters.forEach { free($0) } }
        let (count, values) = (Int32(parameters.count), parameters.map { UnsafePointer($0) })
        let status: Int32
        if let name = prepared[statement.sql] {
            status = PQsendQueryPrepared(connection, name, count, values, nil, nil, 0)
        } else if statement.isPrepared {
            let name = "swivel_\(prepared.count)"
            preparing = name
            status = PQsendPrepare(connection, name, statement.sql, 0, nil)
        } else if parameters.isEmpty {
            // It may be several statements.
            status = PQsendQuery(connection, statement.sql)
        } else {
            status = PQsendQueryParams(
                connection, statement.sql, count, nil, values, nil, nil, 0)
        }
        silence?.arm(after: statement.limit)
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
    private func receive(_ event: WatchEvent) {
        if loss != nil { return }
        guard event.error == nil, PQconsumeInput(connection) == 1 else { return lose() }
        while let notice = PQnotifies(connection) {
            PQfreemem(notice)
            wake()
        }
        while !statements.isEmpty, PQisBusy(connection) == 0 {
            if let result = PQgetResult(connection) {
                take(result)
                PQclear(result)
            } else {
                finish()
            }
            if loss != nil { return }
        }
        if event.ready.contains(.writable) { flush() }
    }

    private func take(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
        case PGRES_TUPLES_OK:
            let columns = 0..<PQnfields(result)
            rows += (0..<PQntuples(result)).map { row in
                columns.map { column in
                    if PQgetisnull(result, row, column) == 1 { return nil }
                    return PQgetvalue(result, row, column).map { String(cString: $0) }
                }
            }
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            lose(PostgresError("COPY is not supported here", state: PostgresError.unsupported))
        default: failure = PostgresError(result: result)
        }
    }

    /// The first statement is over: the next one begins.
    private func finish() {
        if let name = preparing.take(), failure == nil {
            prepared[statements[0].sql] = name
            return send()
        }
        isSent = false
        let result = failure.map { Result<[[String?]], any Error>.failure($0) } ?? .success(rows)
        (rows, failure) = ([], nil)
        silence?.disarm()
        statements.removeFirst().answer.resume(with: result)
        send()
    }

    /// The database has not answered in time.
    private func giveUp() { lose(PostgresError("no answer from the database")) }

    /// The connection is gone, or of no more use.
    private func lose(_ reason: PostgresError? = nil) {
        if loss != nil { return }
        let error = reason ?? PostgresError(connection)
        loss = error
        watch?.cancel()
        silence?.disarm()
        let lost = statements
        statements = []
        for statement in lost { statement.answer.resume(throwing: error) }
        // The server ends the transaction, and with it its claims, when the socket closes.
        shutdown(PQsocket(connection), Int32(SHUT_RDWR))
        wake()
    }
}

/// The key with which the server cancels a connection's statement.
private final class CancelKey: @unchecked Sendable {
    // because it is set before the connection is used, and libpq says that any thread may cancel.
    private var key: OpaquePointer?

    func learn(from connection: OpaquePointer) { key = PQgetCancel(connection) }

    /// **Thread:** any; it blocks for a round trip.
    func cancel() {
        var reason = [CChar](repeating: 0, count: 256)
        if let key { _ = PQcancel(key, &reason, Int32(reason.count)) }
    }

    deinit { PQfreeCancel(key) }
}
#endif
