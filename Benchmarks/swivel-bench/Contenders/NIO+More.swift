// SPDX-License-Identifier: Apache-2.0

#if NIO
internal import BenchKit
internal import NIOCore
internal import NIOPosix
internal import Rivals

/// Futures of swift-nio's, on their loop's thread, where they are cheapest.
enum NIOFutures {
    static func maps(_ length: Int, chains: Int) throws -> Measurement {
        let nio = NIOLoop.open()
        let turns = Turns { nio.post($0) }
        var measurement = try ChainSum.measure(length, chains: chains) { chains in
            let sum = Tally()
            turns.run {
                for chain in 0..<chains {
                    let promise = nio.loop.makePromise(of: Int.self)
                    var future = promise.futureResult
                    for step in 0..<length { future = future.map { $0 &+ step } }
                    future.whenSuccess { sum.cell.pointee &+= $0 }
                    promise.succeed(chain)
                }
            }
            return sum.value
        }
        try measurement.check("left behind", nio.close(), is: 0)
        return measurement
    }

    /// A thread that waits for a value of the loop's.
    static func waits(_ series: WaitSeries, on turns: Turns?) throws -> Measurement {
        let nio = NIOLoop.open()
        let measurement = try series.measure(on: turns) { trip in
            (try? nio.loop.submit { trip }.wait()) ?? -1
        }
        _ = nio.close()
        return measurement
    }
}

/// The pattern of NIO's `IdleStateHandler`: each connection keeps the time of its last sign of
/// life, and one task, which looks at that time and schedules itself again.
final class NIOIdle: @unchecked Sendable {
    // `@unchecked` because closures of one event loop alone use it.
    private var last = NIODeadline.now()
    private var task: Scheduled<Void>?
    private let loop: any EventLoop
    private let expired: Tally
    private static let timeout = TimeAmount.seconds(600)

    private init(on loop: any EventLoop, expired: Tally) {
        self.loop = loop
        self.expired = expired
        look(after: Self.timeout)
    }

    @inline(__always)
    private func touch() { last = .now() }

    private func look(after delay: TimeAmount) {
        task = loop.scheduleTask(in: delay) { [self] in
            let left = last + Self.timeout - .now()
            if left <= .zero { expired.cell.pointee += 1 } else { look(after: left) }
        }
    }

    static func touch(connections: Int, _ count: Int, _ stride: Int) throws -> Measurement {
        let nio = NIOLoop.open()
        let (turns, touched, expired) = (Turns { nio.post($0) }, Tally(), Tally())
        let idle = Kept<NIOIdle>(connections)
        turns.run {
            for _ in 0..<connections { idle.append(NIOIdle(on: nio.loop, expired: expired)) }
        }
        let rounds = count / Turns.operations
        let span = turns.time(warmUp: 1, turns: rounds) { turn in
            var next = turn
            for _ in 0..<Turns.operations {
                next = IdleTimeouts.step(next, by: stride, of: connections)
                idle[next].touch()
            }
            touched.cell.pointee += Turns.operations
        }
        var measurement = Measurement(span, operations: rounds * Turns.operations)
        try measurement.check("touched", touched.value, is: (rounds + 1) * Turns.operations)
        try measurement.check("expired", expired.value, is: 0)
        // The loop's end takes the tasks along.
        try measurement.check("left behind", nio.close(), is: 0)
        idle.removeAll()
        return measurement
    }
}

/// An actor that lives on an event loop.
actor NIOResident {
    private let loop: any EventLoop
    private(set) var count = 0
    private(set) var sum = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    private func receive() -> Int {
        count &+= 1
        return count
    }

    private func visit(_ other: NIOResident, times: Int) async {
        Cores.stay()
        for _ in 0..<times { sum &+= await other.receive() }
        Cores.leave()
    }

    /// Calls from one actor to another on the same event loop.
    static func hops(_ count: Int) throws -> Measurement {
        let nio = NIOLoop.open()
        let (visitor, visited) = (NIOResident(nio.loop), NIOResident(nio.loop))
        let (span, visits) = Awaited.time(on: nil) {
            await visitor.visit(visited, times: count)
            return Visits(count: await visited.count, sum: await visitor.sum)
        }
        _ = nio.close()
        return try visits.measurement(span, count)
    }
}
#endif
