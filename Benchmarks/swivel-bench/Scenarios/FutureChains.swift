// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// A promise, some maps, and the value at their end.
enum FutureChains: Scenario {
    static let name = "future-chain"
    static let summary = "complete a promise and read the value after 1, 10 and 100 maps"

    static func contests(_ plan: Plan) -> [Contest] {
        let lengths = plan.choose([1, 10, 100], quick: [10, 100])
        return lengths.flatMap { length in
            // As many on each side.
            let maps = plan.isBrief ? 100_000 : plan.choose(400_000, quick: 200_000)
            let chains = maps / (length + 3)
            let rivals = [
                Side(RivalName.swiftTask, [.cpu, .wall]) {
                    try TaskChains.maps(length, chains: chains)
                },
                Side(
                    RivalName.queue, [.cpu, .wall],
                    reason: "blocks hand one number on; a future keeps its value for all readers"
                ) {
                    try DispatchChains.maps(length, chains: chains)
                },
            ]
            let packages = nio(length, chains) + combine(length, chains)
            let variant = length == 1 ? "1 map" : "\(length) maps"
            return [
                Contest(
                    name, variant,
                    subject: Side("Future") { try immediate(length, chains: chains) },
                    rivals: rivals + packages),
                Contest(
                    name, "\(variant), plain",
                    subject: Side("Future") { try plain(length, chains: chains) }, rivals: rivals),
                Contest(
                    name, "\(variant), on the loop",
                    subject: Side("Future") { try onLoop(length, chains: chains) { $0 } },
                    rivals: [
                        Side(
                            Yardstick.immediate, [.cpu, .wall],
                            reason: "each map is a post of its own and takes its turn"
                        ) {
                            try onLoop(length, chains: chains) { _ in ImmediateContext.immediate }
                        }
                    ] + rivals + nio(length, chains)),
            ].filter { !plan.isQuick || !$0.variant.hasSuffix("plain") }
        }
    }

    private static func nio(_ length: Int, _ chains: Int) -> [Side] {
        #if NIO
        let reason = "its maps run at once; Swivel's on a loop take their turn in its lane"
        return [
            Side(RivalName.nio, [.cpu, .wall], reason: reason) {
                try NIOFutures.maps(length, chains: chains)
            }
        ]
        #else
        return []
        #endif
    }

    private static func combine(_ length: Int, _ chains: Int) -> [Side] {
        #if OpenCombine
        return [
            Side(RivalName.combine, [.cpu, .wall]) {
                try CombineFutures.maps(length, chains: chains)
            }
        ]
        #else
        return []
        #endif
    }

    private static func immediate(_ length: Int, chains: Int) throws -> Measurement {
        try ChainSum.measure(length, chains: chains) { chains in
            var total = 0
            for chain in 0..<chains {
                let promise = Promise<Int, Never>()
                var future = promise.future
                for step in 0..<length {
                    future = future.map(on: .immediate) { $0 &+ step }
                }
                promise.succeed(chain)
                total &+= future.result?.get() ?? 0
            }
            return total
        }
    }

    private static func plain(_ length: Int, chains: Int) throws -> Measurement {
        try ChainSum.measure(length, chains: chains) { chains in
            var total = 0
            for chain in 0..<chains {
                let promise = Promise<Int, Never>()
                var future = promise.future
                for _ in 0..<length {
                    future = future.map(on: .immediate) { $0 &+ 1 }
                }
                promise.succeed(chain)
                // Adds up as `immediate`, whose steps add their numbers instead of 1.
                total &+= (future.result?.get() ?? 0) - length + length * (length - 1) / 2
            }
            return total
        }
    }

    /// For each map of a long chain, all of it: made, run and released.
    static func counts(capturing: Bool) throws -> Measurement {
        let length = 1_000
        let counting = Counting()
        var value = 0
        for _ in 0..<2 {
            let promise = Promise<Int, Never>()
            var future = promise.future
            counting.begin()
            for step in 0..<length {
                future =
                    capturing
                    ? future.map(on: .immediate) { $0 &+ step }
                    : future.map(on: .immediate) { $0 &+ 1 }
            }
            promise.succeed(0)
            counting.end()
            value = future.result?.get() ?? 0
        }
        var measurement = Measurement()
        counting.add(to: &measurement, operations: length)
        try measurement.check(
            "value", value, is: capturing ? length * (length - 1) / 2 : length)
        return measurement
    }

    /// Chains on a loop's thread, their maps on the context that `place` gives for the loop.
    private static func onLoop<Context: ExecutionContext>(
        _ length: Int, chains: Int, _ place: (Loop) -> Context
    ) throws -> Measurement {
        try Resident.withLoops(1) { loops in
            let loop = loops[0]
            let context = place(loop)
            return try ChainSum.measure(length, chains: chains) { chains in
                let sum = Tally()
                let done = DispatchSemaphore(value: 0)
                @Sendable func begin(_ chain: Int) {
                    guard chain < chains else {
                        done.signal()
                        return
                    }
                    let promise = Promise<Int, Never>()
                    var future = promise.future
                    for step in 0..<length {
                        future = future.map(on: context) { $0 &+ step }
                    }
                    future.onSuccess(on: context) {
                        sum.cell.pointee &+= $0
                        begin(chain + 1)
                    }
                    promise.succeed(chain)
                }
                loop.execute { begin(0) }
                done.wait()
                return sum.value
            }
        }
    }
}
