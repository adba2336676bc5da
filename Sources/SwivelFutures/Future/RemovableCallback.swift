// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A callback that may leave before it runs.
struct Visit: Sendable {
    let visitor = AnyFuture()
    private let release: @Sendable (FutureRef) -> Void

    /// - Parameter release: Releases what the callback keeps.
    init(release: @escaping @Sendable (FutureRef) -> Void) {
        self.release = release
    }

    /// Ends the visit: the callback does not run, unless it has begun to, and keeps nothing.
    func end() {
        if visitor.leave() {
            withExtendedLifetime(visitor) { release(visitor.ref) }
        }
    }
}

/// The visits of those that race for one result: when it is there, all of them end.
///
/// Each of them holds this, and this holds them, until then.
final class Visits: Sendable {
    /// `nil`: the race is over.
    private let visits = Lock<[Visit]?>([])

    /// Adds a visit, which ends at once if the race is over.
    func add(_ visit: Visit) {
        let isOver = visits.withLock { visits in
            visits?.append(visit)
            return visits == nil
        }
        if isOver {
            visit.end()
        }
    }

    /// The race is over.
    func end() {
        let ended = visits.withLock { visits in
            defer { visits = nil }
            return visits
        }
        ended?.forEach { $0.end() }
    }
}
