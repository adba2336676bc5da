// SPDX-License-Identifier: Apache-2.0
#if SQLite
internal import Foundation
internal import GRDB

extension SQLiteSession {
    /// Returns how many of the changes fit their rows.
    static func write(_ changes: [Change], _ database: Database) throws -> Int {
        try changes.reduce(0) { try $0 + (write($1, database) ? 1 : 0) }
    }

    private static func write(_ change: Change, _ database: Database) throws -> Bool {
        let now = Date().microseconds
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT next_at, then_at, retry_of FROM swivel_schedule
                WHERE id = ? AND number = ? AND failures = ?
                """, arguments: [change.id, change.number, change.failures])
        guard let row else { return false }
        let (present, origin): (Int64?, Int64?) = (row["next_at"], row["retry_of"])
        // Somebody may have moved the next tick while this one ran.
        let next = row["then_at"] ?? (present == change.claimed ? change.next : present)
        switch change.kind {
        case .done, .discarded, .cancelled:
            try database.execute(
                sql: "INSERT INTO swivel_tick VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    origin ?? change.id, change.number, change.due, now, change.kind.rawValue,
                    change.failures + 1, change.error,
                ])
            try database.execute(
                sql: "DELETE FROM swivel_cancel WHERE schedule = ? AND number <= ?",
                arguments: [change.id, change.number])
            if origin != nil {
                try database.execute(
                    sql: "DELETE FROM swivel_schedule WHERE id = ?", arguments: [change.id])
            } else {
                try database.execute(
                    sql: """
                        UPDATE swivel_schedule SET number = number + 1, failures = 0, retry_at = 0,
                            error = ?, next_at = ?, then_at = NULL WHERE id = ?
                        """, arguments: [change.error, next, change.id])
            }
        case .failed:
            try database.execute(
                sql: """
                    UPDATE swivel_schedule SET failures = failures + 1, error = ?, retry_at = ?,
                        next_at = ? WHERE id = ?
                    """,
                arguments: [
                    change.error, now + (change.wait ?? 0) * 1_000, change.due, change.id,
                ])
        case .skipped, .returned:
            let (retry, next) = change.kind == .skipped ? (0, next) : (now, change.due)
            try database.execute(
                sql: """
                    UPDATE swivel_schedule SET retry_at = ?1, next_at = ?2,
                        then_at = CASE WHEN ?1 > 0 THEN then_at END WHERE id = ?3
                    """, arguments: [retry, next, change.id])
        }
        return true
    }
}
#endif
