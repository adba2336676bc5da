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
        nonisolated(unsafe) let crowd = sockets.pairs.crowd
        let last = sockets.last
        for descriptor in sockets.pairs.watched {
            loop.watch(descriptor) { _ in
                if raw_crowd_read(crowd, descriptor) { last.signal() }
            }
        }
        loop.submit {}.await()
        var measurement = try sockets.measure()
        loop.submit { Cores.leave() }.await()
        try measurement.check("watches", loop.shutdown().cancelledWatches, is: count)
        return measurement
    }

    /// Sockets that become readable at once, whenever all have been read.
    final class Rounds: Sendable {
        let pairs: SocketPairs
        /// Signalled once the last byte is read.
        let last = DispatchSemaphore(value: 0)
        private let total: Int

        init(_ count: Int, _ rounds: Int) throws {
            pairs = try SocketPairs(count, rounds: rounds)
            total = count * rounds
        }

        /// Counts a byte that another has read.
        func countRead() {
            if pairs.count() { last.signal() }
        }

        func measure() throws -> Measurement {
            let (wall, cpu) = (Clocks.wall(), Clocks.processCPU())
            let calls = SystemCalls.count
            pairs.write()
            last.wait()
            let span = Span(wall: Clocks.wall() - wall, cpu: Clocks.processCPU() - cpu)
            var measurement = Measurement(span, operations: total)
            measurement[.systemCalls] = Double(SystemCalls.count - calls) / Double(total)
            try measurement.check("read", pairs.bytesRead, is: total)
            return measurement
        }
    }
}
