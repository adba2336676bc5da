// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// A promise, some maps, and the value at their end.
enum FutureChains: Scenario {
    static let name = "future-chain"
    static let summary = "complete a promise and read the value after 10 and 100 maps"

    static func contests(_ plan: Plan) -> [Contest] {
        [10, 100].flatMap { length in
            let chains = plan.choose(400_000, quick: 50_000) / (length + 3)
            let rivals = [
                Side(RivalName.swiftTask, [.cpu, .wall]) {
                    try SwiftTasks.maps(length, chains: chains)
                },
                Side(
                    RivalName.queue, [.cpu, .wall],
                    reason: "blocks hand one number on; a future keeps its value for all readers"
                ) { try DispatchQueues.maps(length, chains: chains) },
            ]
            return [
                Contest(
                    name, "\(length) maps",
                    subject: Side("Future") { try immediate(length, chains: chains) },
                    rivals: rivals + nio(length, chains) + combine(length, chains)),
                Contest(
                    name, "\(length) maps, on the loop",
                    subject: Side("Future") { try onLoop(length, chains: chains, atOnce: 1) },
                    rivals: rivals + nio(length, chains)),
            ]
        } + [manyAtOnce]
    }

    private static let manyAtOnce = Contest(
        name, "10 maps, on the loop, 50,000 at once",
        subject: Side("Future") { try onLoop(10, chains: 50_000, atOnce: 50_000) },
        rivals: [
            Side(RivalName.queue, [.cpu, .wall]) { try DispatchQueues.maps(10, chains: 50_000) }
        ] + nio(10, 50_000))

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

    /// For each map of a long chain, all of it: made, run and released.
    @Sendable static func allocations() throws -> Measurement {
        let length = 1_000
        let counting = Counting()
        var value = 0
        for _ in 0..<2 {
            let promise = Promise<Int, Never>()
            var future = promise.future
            counting.begin()
            for step in 0..<length { future = future.map(on: .immediate) { $0 &+ step } }
            promise.succeed(0)
            counting.end()
            value = future.result?.get() ?? 0
        }
        var measurement = Measurement()
        counting.add(to: &measurement, operations: length)
        try measurement.check("value", value, is: length * (length - 1) / 2)
        return measurement
    }

    /// Chains whose maps are on the loop, made by closures of the loop: in each closure `atOnce`
    /// chains, all of them under way when the closure returns.
    private static func onLoop(_ length: Int, chains: Int, atOnce: Int) throws -> Measurement {
        try Resident.withLoops(1) { loops in
            let loop = loops[0]
            return try ChainSum.measure(length, chains: chains) { chains in
                let (sum, ended) = (Tally(), Tally())
                let done = DispatchSemaphore(value: 0)
                @Sendable func begin(_ first: Int) {
                    for chain in first..<min(first + atOnce, chains) {
                        let promise = Promise<Int, Never>()
                        var future = promise.future
                        for step in 0..<length { future = future.map(on: loop) { $0 &+ step } }
                        future.onSuccess(on: loop) {
                            sum.cell.pointee &+= $0
                            ended.cell.pointee += 1
                            if ended.value == chains {
                                done.signal()
                            } else if ended.value % atOnce == 0 {
                                begin(ended.value)
                            }
                        }
                        promise.succeed(chain)
                    }
                }
                loop.execute { begin(0) }
                done.wait()
                return sum.value
            }
        }
    }
}
