// SPDX-License-Identifier: Apache-2.0
package import BenchKit
internal import CRawUV
internal import Dispatch
internal import class Foundation.Thread

/// libuv in C, at the same work.
package enum RawUV {
    /// The version of the library that runs.
    package static var version: String { String(cString: raw_uv_version()) }

    package static func pairs(outstanding: Int, operations: Int) throws -> Measurement {
        try alone(operations, fires: 0) {
            raw_uv_pairs(field(outstanding), UInt32(operations), &$0)
        }
    }

    package static func churn(
        outstanding: Int, warmUp: Int, operations: Int, picks: Picks
    ) throws -> Measurement {
        try alone(operations, fires: 0) {
            raw_uv_churn(
                field(outstanding),
                raw_uv_picks(indices: picks.indices, mask: UInt32(picks.mask)),
                UInt32(warmUp), UInt32(operations), &$0)
        }
    }

    /// Timers with delays from the table, at most `range` nanoseconds, all due before any may fire.
    package static func burst(_ count: Int, delays: Delays, range: Int) throws -> Measurement {
        try timed(count, fires: count) {
            raw_uv_burst(
                UInt32(count), UInt32(range / 1_000_000), delays.milliseconds,
                UInt32(delays.mask), &$0)
        }
    }

    package static func posts(
        producers: Int, each: Int
    ) throws -> Measurement {
        let count = producers * each
        Cores.leaveFree(producers)
        defer { Cores.release() }
        return try timed(count, fires: count) {
            raw_uv_post(UInt32(producers), UInt32(each), { Cores.take(Int($0)) }, &$0)
        }
    }

    /// Timers of the table's delays that stand by, and what is left of them when stopped. Handles
    /// are the caller's memory in libuv, so they go when the bed is closed.
    package static func standing(_ count: Int, delays: Delays = .far) throws -> Measurement {
        var bed: OpaquePointer?
        return try MemoryReading.ofTimers(
            count,
            arm: {
                try succeed(raw_uv_bed_open(field(count, delays), &bed))
                return Int(bed.map { raw_uv_bed_active($0) } ?? 0)
            },
            cancel: {
                bed.map { raw_uv_bed_stop_all($0) }
                let active = Int(bed.map { raw_uv_bed_active($0) } ?? 0)
                try succeed(raw_uv_bed_close(bed))
                return count - active
            })
    }

    /// Events of `count` sockets at a time, by plain epoll (on Linux only) or uv_poll. As next to a
    /// loop, there is a second thread: then Linux counts each system call's reference to a descriptor.
    package static func events(_ count: Int, rounds: Int, epoll: Bool) throws -> Measurement {
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread { isOver.wait() }
        defer { isOver.signal() }
        let calls = SystemCalls.count
        var measurement = try alone(count * rounds, fires: 0) {
            #if os(Linux)
            if epoll { return raw_epoll_events(UInt32(count), UInt32(rounds), &$0) }
            #endif
            return raw_uv_events(UInt32(count), UInt32(rounds), &$0)
        }
        measurement[.systemCalls] = Double(SystemCalls.count - calls) / Double(count * rounds)
        return measurement
    }

    private static func field(_ outstanding: Int, _ delays: Delays = .far) -> raw_uv_field {
        raw_uv_field(
            outstanding: UInt32(outstanding), delays_ms: delays.milliseconds,
            delay_mask: UInt32(delays.mask))
    }

    /// As `timed`, on the core of threads that are measured alone.
    private static func alone(
        _ operations: Int, fires: Int, _ body: (inout raw_uv_span) -> Int32
    ) throws -> Measurement {
        Cores.stay()
        defer { Cores.leave() }
        return try timed(operations, fires: fires, body)
    }

    private static func timed(
        _ operations: Int, fires: Int, _ body: (inout raw_uv_span) -> Int32
    ) throws -> Measurement {
        var span = raw_uv_span()
        try succeed(body(&span))
        var measurement = Measurement(
            Span(wall: span.wall_ns, cpu: span.cpu_ns), operations: operations)
        try measurement.check("operations", Int(span.done), is: operations)
        try measurement.check("fired", Int(span.fired), is: fires)
        return measurement
    }

    private static func succeed(_ status: Int32) throws {
        guard status == 0 else { throw BenchFailure("libuv error \(status)") }
    }
}
