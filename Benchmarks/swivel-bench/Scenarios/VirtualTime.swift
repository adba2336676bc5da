// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelTesting

#if NIO
internal import NIOCore
internal import NIOEmbedded
#endif

/// The real time that virtual time takes.
enum VirtualTime: Scenario {
    static let name = "virtual-time"
    static let summary = "await an advance of virtual time to a timer, with nothing else to run"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(20_000, quick: 2_000)
        return [
            Contest(
                name, "an instant", subject: Side(Loop.name) { try swivel(count) },
                rivals: [
                    Side(RivalName.executor, [.wall]) { try TaskSteps.yields(count, on: nil) }
                ] + nio(count),
                reason: "the rival is a task that yields, and nothing more")
        ]
    }

    private static func swivel(_ count: Int) throws -> Measurement {
        let loop = try Loop.manual()
        return try measure(count) { fired in
            loop.schedule(after: .milliseconds(1)) { fired.cell.pointee &+= 1 }
            await loop.advance(by: .milliseconds(1))
        }
    }

    private static func nio(_ count: Int) -> [Side] {
        #if NIO
        return [
            Side(RivalName.nioTesting, [.wall]) {
                let loop = NIOAsyncTestingEventLoop()
                defer { Awaited.run(on: nil) { await loop.shutdownGracefully() } }
                return try measure(count) { fired in
                    loop.scheduleTask(in: .milliseconds(1)) { fired.cell.pointee &+= 1 }
                    await loop.advanceTime(by: .milliseconds(1))
                }
            }
        ]
        #else
        return []
        #endif
    }

    /// Times steps that each fire one timer.
    private static func measure(
        _ count: Int, _ step: @escaping @Sendable (Tally) async -> Void
    ) throws -> Measurement {
        let fired = Tally()
        let (span, _) = Awaited.time(on: nil) { for _ in 0..<count { await step(fired) } }
        var measurement = Measurement(span, operations: count)
        try measurement.check("fired", fired.value, is: count)
        return measurement
    }
}
