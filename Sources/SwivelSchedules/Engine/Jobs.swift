// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite

/// The functions that a process knows, by name.
package struct Jobs: Sendable {
    package typealias Leased = @Sendable (ScheduledTick) async throws -> Void
    package typealias Transactional =
        @Sendable (ScheduledTick, ScheduleTransaction) async throws -> Void

    package private(set) var leased: [String: Leased] = [:]
    package private(set) var transactional: [String: Transactional] = [:]
    /// The names of the transactional ones, by how many of their ticks may share a transaction.
    private(set) var batches: [Int: [String]] = [:]

    package init() {}

    var names: [String] { Array(leased.keys) + transactional.keys }

    func knows(_ name: String) -> Bool { leased[name] != nil || transactional[name] != nil }

    package mutating func add(_ name: String, _ body: @escaping Leased) { leased[name] = body }

    package mutating func add(_ name: String, batch: Int, _ body: @escaping Transactional) {
        transactional[name] = body
        batches[batch, default: []].append(name)
    }
}
#endif
