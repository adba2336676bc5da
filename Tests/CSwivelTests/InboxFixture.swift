// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport

/// An inbox by itself.
final class InboxFixture {
    struct Entry: Equatable {
        let first, second: UInt64
    }

    private let fixture: OpaquePointer

    init() { fixture = swivel_inbox_fixture_make() }

    deinit { swivel_inbox_fixture_free(fixture) }

    func push(_ first: UInt64, _ second: UInt64) -> Int32 {
        swivel_inbox_fixture_push(fixture, first, second)
    }

    func take() -> Entry? {
        var first: UInt64 = 0
        var second: UInt64 = 0
        guard swivel_inbox_fixture_take(fixture, &first, &second) else { return nil }
        return Entry(first: first, second: second)
    }

    var isEmpty: Bool { swivel_inbox_fixture_is_empty(fixture) }

    func beginDrain() { swivel_inbox_fixture_begin_drain(fixture) }
    /// Whether a producer holds the drain up.
    func endDrain() -> Bool { swivel_inbox_fixture_end_drain(fixture) }

    /// Whether the consumer slept and is woken.
    func wake() -> Bool { swivel_inbox_fixture_wake(fixture) }
    /// Whether the consumer is to sleep.
    func park(until instant: UInt64 = .max) -> Bool { swivel_inbox_fixture_park(fixture, instant) }
    func unpark() { swivel_inbox_fixture_unpark(fixture) }

    func claim() -> UInt64 { swivel_inbox_fixture_claim(fixture) }
    func publish(_ number: UInt64, _ first: UInt64, _ second: UInt64) {
        swivel_inbox_fixture_publish(fixture, number, first, second)
    }

    @discardableResult
    func close() -> Bool { swivel_inbox_fixture_close(fixture) }
    func reset() { swivel_inbox_fixture_reset(fixture) }
    func reopen() { swivel_inbox_fixture_reopen(fixture) }

    var segments: Int { Int(swivel_inbox_fixture_segments(fixture)) }
    var spares: Int { Int(swivel_inbox_fixture_spares(fixture)) }
    func deferFree(_ memory: UInt64) -> Bool { swivel_inbox_fixture_defer_free(fixture, memory) }
    /// The sum and the count of the deferred words that were freed, in all inboxes.
    static var freed: (sum: UInt64, count: UInt64) {
        var count: UInt64 = 0
        let sum = swivel_inbox_fixture_freed(&count)
        return (sum, count)
    }
    func pretendFull(less: UInt64) { swivel_inbox_fixture_fill(fixture, less) }

    func storm(producers: UInt32, entriesEach: UInt64, closeMidway: Bool = false) -> swivel_storm {
        var storm = swivel_storm()
        storm.producers = producers
        storm.entries_each = entriesEach
        storm.close_midway = closeMidway
        swivel_inbox_fixture_storm(fixture, &storm)
        return storm
    }
}
