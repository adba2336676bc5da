// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL
internal import CLibPQ

/// An error of the database, or of the connection to it.
struct PostgresError: Error, CustomStringConvertible {
    let description: String
    /// PostgreSQL's five characters for it; empty: the connection has failed.
    let state: String

    // Those that this module handles; PostgreSQL's manual, appendix A.
    static let unsupported = "0A000"
    static let noTransaction = "25P01"
    static let failedTransaction = "25P02"
    static let cancelled = "57014"
    static let noSavepoint = "3B001"
    static let noTable = "42P01"
    static let isLocked = "55P03"

    /// A lock has not come in time.
    var isOfLock: Bool { state == Self.cancelled || state == Self.isLocked }

    /// Other transactions are at fault: the same one may succeed.
    var isOfOtherTransactions: Bool { state.hasPrefix("40") }

    /// Neither the connection is at fault nor the server's state.
    var isOfJob: Bool {
        !state.isEmpty && state != "25006"
            && !["08", "53", "57P", "58", "XX"].contains { state.hasPrefix($0) }
    }

    /// A statement has failed.
    init(result: OpaquePointer) {
        let field = PQresultErrorField(result, Int32(UInt8(ascii: "C")))  // PG_DIAG_SQLSTATE
        self.init(
            String(cString: PQresultErrorMessage(result)),
            state: field.map { String(cString: $0) } ?? "")
    }

    /// There is no connection, or no longer one.
    init(_ connection: OpaquePointer) {
        self.init(String(cString: PQerrorMessage(connection)))
    }

    init(_ message: String, state: String = "") {
        let line = message.split(separator: "\n").first.map(String.init) ?? "no reason is known"
        description = state.isEmpty ? line : "\(line) (\(state))"
        self.state = state
    }
}
#endif
