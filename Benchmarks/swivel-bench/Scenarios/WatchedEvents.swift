// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import CRawUV
internal import Dispatch
internal import Rivals
internal import Swivel

/// Events of watched descriptors, each read by a closure.
enum WatchedEvents: Scenario {
    private static let reason =
        "NIO reads into a buffer of its own, and passes it through a channel's handlers"

    static let name = "watched-event"
    static let summary = "read a byte from a socket when it is readable"

    static func contests(_ plan: Plan) -> [Contest] {
        [("ping-pong", 1), ("1,000 at once", 1_000)].map { variant, count in
            let rounds = plan.choose(200_000, quick: 25_000) / count
            return Contest(
                name, variant,
                subject: Side(Loop.name) { try events(count, rounds: rounds) },
                rivals: rivals(count, rounds: rounds))
        }
    }

    private static func rivals(_ count: Int, rounds: Int) -> [Side] {
        let metrics: [Metric] = [.cpu, .wall] + (SystemCalls.areCounted ? [.systemCalls] : [])
        var rivals = [
            Side(RivalName.libuv, metrics) {
                try RawUV.events(count, rounds: rounds, epoll: false)
            }
        ]
        #if os(Linux)
        rivals.append(
            Side(RivalName.epoll, metrics) {
                try RawUV.events(count, rounds: rounds, epoll: true)
            })
        #endif
        #if NIO
        rivals.append(
            Side(RivalName.nio, metrics, reason: reason) {
                try NIOEvents.events(count, rounds: rounds)
            })
        #endif
        return rivals
    }

    static func events(_ count: Int, rounds: Int) throws -> Measurement {
        let loop = try Loop(.init(name: "events"))
        let sockets = try Rounds(count, rounds)
        loop.submit { Cores.stay() }.await()
        // Unsafe, because only the loop's thread counts. libuv's callback calls the same function.
        nonisolated(unsafe) let crowd = sockets.crowd
        let last = sockets.last
        for descriptor in sockets.watched {
            loop.watch(descriptor) { _ in
                if raw_crowd_read(crowd, descriptor) { last.signal() }
            }
        }
        loop.submit {}.await()
        var measurement = try sockets.measure()
        loop.submit { Cores.leave() }.await()
        let report = withExtendedLifetime(sockets) { loop.shutdown() }
        try measurement.check("watches", report.cancelledWatches, is: count)
        return measurement
    }

    /// Pairs of sockets, whose first ends become readable at once whenever all have been read.
    final class Rounds: @unchecked Sendable {
        // because one thread at a time counts, and the others wait for it.
        let crowd: UnsafeMutablePointer<raw_crowd>
        /// Signalled once the last byte is read.
        let last = DispatchSemaphore(value: 0)
        private let total: Int

        init(_ count: Int, _ rounds: Int) throws {
            total = count * rounds
            crowd = .allocate(capacity: 1)
            guard raw_crowd_open(crowd, UInt32(count), UInt32(rounds)) == 0 else {
                throw BenchFailure("no sockets")
            }
        }

        deinit {
            raw_crowd_close(crowd)
            crowd.deallocate()
        }

        var watched: [Int32] {
            (0..<Int(crowd.pointee.count)).map { crowd.pointee.pairs[2 * $0] }
        }

        func measure() throws -> Measurement {
            let (wall, cpu) = (Clocks.wall(), Clocks.processCPU())
            let calls = SystemCalls.count
            raw_crowd_write(crowd)
            last.wait()
            let span = Span(wall: Clocks.wall() - wall, cpu: Clocks.processCPU() - cpu)
            var measurement = Measurement(span, operations: total)
            measurement[.systemCalls] = Double(SystemCalls.count - calls) / Double(total)
            try measurement.check("read", Int(crowd.pointee.read), is: total)
            return measurement
        }
    }
}
