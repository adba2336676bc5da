// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport

/// An inbox by itself.
final class InboxBed {
    struct Entry: Equatable {
        let first, second: UInt64
    }

    private let bed: OpaquePointer

    init() {
        bed = swivel_inbox_bed_make()
    }

    deinit {
        swivel_inbox_bed_free(bed)
    }

    func push(_ first: UInt64, _ second: UInt64) -> Int32 {
        swivel_inbox_bed_push(bed, first, second)
    }

    func take() -> Entry? {
        var first: UInt64 = 0
        var second: UInt64 = 0
        guard swivel_inbox_bed_take(bed, &first, &second) else { return nil }
        return Entry(first: first, second: second)
    }

    var isEmpty: Bool { swivel_inbox_bed_is_empty(bed) }

    func beginDrain() { swivel_inbox_bed_begin_drain(bed) }
    /// Whether a producer holds the drain up.
    func endDrain() -> Bool { swivel_inbox_bed_end_drain(bed) }

    /// Whether the consumer slept and is woken.
    func wake() -> Bool { swivel_inbox_bed_wake(bed) }
    /// Whether the consumer is to sleep.
    func park(until instant: UInt64 = .max) -> Bool { swivel_inbox_bed_park(bed, instant) }
    func unpark() { swivel_inbox_bed_unpark(bed) }

    func claim() -> UInt64 { swivel_inbox_bed_claim(bed) }
    func publish(_ number: UInt64, _ first: UInt64, _ second: UInt64) {
        swivel_inbox_bed_publish(bed, number, first, second)
    }

    @discardableResult
    func close() -> Bool { swivel_inbox_bed_close(bed) }
    func reset() { swivel_inbox_bed_reset(bed) }
    func reopen() { swivel_inbox_bed_reopen(bed) }

    var segments: Int { Int(swivel_inbox_bed_segments(bed)) }
    var spares: Int { Int(swivel_inbox_bed_spares(bed)) }
    func give() -> Bool { swivel_inbox_bed_give(bed) }
    func deferFree(_ memory: UInt64) -> Bool { swivel_inbox_bed_defer_free(bed, memory) }
    /// The sum and the count of the deferred words that were freed, in all inboxes.
    static var freed: (sum: UInt64, count: UInt64) {
        var count: UInt64 = 0
        let sum = swivel_inbox_bed_freed(&count)
        return (sum, count)
    }
    func pretendFull(less: UInt64) { swivel_inbox_bed_fill(bed, less) }

    func storm(producers: UInt32, entriesEach: UInt64, closeMidway: Bool = false) -> swivel_storm {
        var storm = swivel_storm()
        storm.producers = producers
        storm.entries_each = entriesEach
        storm.close_midway = closeMidway
        swivel_inbox_bed_storm(bed, &storm)
        return storm
    }
}
