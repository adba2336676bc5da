// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// Work that blocks, on the pool.
enum BlockingPool: Scenario {
    static let name = "pool"
    static let summary = "32 closures that block for half a second, and short ones behind them"

    static func contests(_ plan: Plan) -> [Contest] {
        [("32 that block", 0), ("short behind long", 100)].map { variant, short in
            Contest(
                name, variant,
                subject: Side("Pool") {
                    try measure(short) { WorkerPool.background.execute($0) }
                },
                rivals: [
                    Side(RivalName.queue, [.wall]) {
                        let queue = DispatchQueue.global()
                        return try measure(short) { queue.async(execute: $0) }
                    }
                ])
        }
    }

    /// The time until all have run, or until the short ones have.
    private static func measure(
        _ short: Int, _ post: (@escaping @Sendable () -> Void) -> Void
    ) throws -> Measurement {
        let (long, brief) = (DispatchGroup(), DispatchGroup())
        let start = Clocks.wall()
        for _ in 0..<32 {
            long.enter()
            post {
                Clocks.pause(500_000_000)
                long.leave()
            }
        }
        for _ in 0..<short {
            brief.enter()
            post { brief.leave() }
        }
        if short == 0 { long.wait() } else { brief.wait() }
        var measurement = Measurement()
        measurement[.wall] = Double(Clocks.elapsed(from: start, to: Clocks.wall()))
        let all = long.wait(timeout: .now() + 60)
        try measurement.check("have run", all == .success ? 32 : 0, is: 32)
        return measurement
    }
}
