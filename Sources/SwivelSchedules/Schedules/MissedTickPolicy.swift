// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
internal import SwivelCore

/// The fate of ticks whose instants passed while no process could fire them, for example in an
/// outage of the database.
public struct MissedTickPolicy: Hashable, Sendable {
    /// Nil: each of them fires. Else the latest fires, if it is late by this many seconds at most.
    private let tolerance: Double?

    /// Each of them fires, one after another.
    public static let all = MissedTickPolicy(tolerance: nil)
    /// The latest of them fires, once for all.
    public static let latest = MissedTickPolicy(tolerance: .infinity)
    /// None of them fires that is late by more than a minute. One that was begun in time is not
    /// late: it fires again after a failure, and when its process gives it back.
    public static let skip = skip(after: .seconds(60))

    /// Returns the policy by which a tick that is late by more than `tolerance` does not fire. Of
    /// those that are not, the latest does. Traps if it is negative.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func skip(
        after tolerance: Duration, file: StaticString = #fileID, line: UInt = #line
    ) -> MissedTickPolicy {
        check(
            tolerance >= .zero, "a tolerance for late ticks must not be negative: \(tolerance)",
            file: file, line: line)
        return MissedTickPolicy(tolerance: tolerance / .seconds(1))
    }

    private init(tolerance: Double?) { self.tolerance = tolerance }

    /// The instant of the tick that fires `now`, if one does, and that of the next one.
    func plan(
        _ due: Date, at now: Date, isRetry: Bool, hasBegun: Bool,
        _ occurrences: Recurrence.Occurrences
    ) -> (fires: Date?, next: Date?) {
        guard let tolerance, !isRetry else { return (due, occurrences.next(after: due)) }
        let latest = occurrences.latest(from: due, by: now)
        let isInTime = now.timeIntervalSince(latest) <= tolerance
        return (isInTime ? latest : hasBegun ? due : nil, occurrences.next(after: latest))
    }

    /// The policy of a row.
    init?(text: String) {
        switch text {
        case "all": self = .all
        case "latest": self = .latest
        default:
            guard let seconds = Double(text), seconds >= 0 else { return nil }
            tolerance = seconds
        }
    }

    /// As a row has it.
    var text: String {
        switch tolerance {
        case nil: "all"
        case .some(.infinity): "latest"
        case .some(let seconds): "\(seconds)"
        }
    }
}
#endif
