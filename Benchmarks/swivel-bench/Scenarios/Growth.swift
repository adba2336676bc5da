// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// The curves: cost against what grows, and how late timers are at each percentile.
enum Growth {
    static func sweeps(_ plan: Plan) -> [Sweep] {
        let all = [outstanding(plan), churn(plan), posts(plan), pairs(plan), lateness(plan)]
        // A quick run has no time for two of one kind.
        return all.filter { !plan.isQuick || $0.name != Churn.name }
    }

    private static var everybody: [any TimerContender.Type] { [Loop.self] + LineUp.timers }

    private static func outstanding(_ plan: Plan) -> Sweep {
        timers(
            "schedule-cancel", "Arm and cancel a timer, while this many others stand by.", plan
        ) { contender, size in
            try contender.pairs(
                outstanding: size, turns: contender.turns(outstanding: size, in: 15_000_000))
        } libuv: { size in
            try RawUV.pairs(outstanding: size, operations: 200 * Turns.operations)
        } child: { rival, size in
            try rival.pairs(outstanding: size, operations: 50 * Turns.operations)
        }
    }

    private static func churn(_ plan: Plan) -> Sweep {
        timers(
            "churn", "Cancel a random one of this many timers, and arm another.", plan
        ) { contender, size in
            let turns = contender.turns(outstanding: size, in: 15_000_000)
            return try contender.churn(
                outstanding: size, warmUp: turns > 1 ? 1 : 0, turns: turns,
                picks: Picks(below: size))
        } libuv: { size in
            try RawUV.churn(
                outstanding: size, warmUp: Turns.operations, operations: 200 * Turns.operations,
                picks: Picks(below: size))
        } child: { rival, size in
            try rival.churn(
                outstanding: size, warmUp: Turns.operations, operations: 50 * Turns.operations)
        }
    }

    private static func timers(
        _ name: String, _ summary: String, _ plan: Plan,
        _ measure: @escaping @Sendable (any TimerContender.Type, Int) throws -> Measurement,
        libuv: @escaping @Sendable (Int) throws -> Measurement,
        child: @escaping @Sendable (ChildRival, Int) throws -> Measurement
    ) -> Sweep {
        let sizes = [1_000, 10_000, 100_000] + plan.choose([1_000_000, 10_000_000], quick: [])
        // Seconds for one sample are too many, and so are gigabytes; see `Contender.pairCost`.
        let most = plan.choose(4_000_000_000, quick: 400_000_000)
        return Sweep(
            name, summary, axis: .outstanding, metric: .wall, sizes: sizes,
            subjects: everybody.map { contender in
                Sweep.Subject(
                    contender.name,
                    reaches: { size in
                        let cost = contender.pairCost(outstanding: size)
                        return size <= contender.most && cost * Turns.operations < most
                            && contender.pairCost(outstanding: 0) * size < most
                    }, measure: { try measure(contender, $0) })
            } + [Sweep.Subject(RivalName.libuv, measure: libuv)]
                // Gigabytes, and seconds to arm them.
                + ChildRival.subjects(upTo: 1_000_000, child))
    }

    private static let producers = [1, 2, 4, 8, 16, 32, 64]

    private static func posts(_ plan: Plan) -> Sweep {
        let all = plan.choose(64_000, quick: 16_000)
        let contenders: [any Contender.Type] = [Loop.self] + LineUp.posts
        return Sweep(
            "post", "Post a capturing closure from this many threads at once.", axis: .producers,
            metric: .cpu, sizes: plan.choose(producers, quick: [1, 4, 16, 64]),
            subjects: contenders.map { contender in
                Sweep.Subject(contender.name) {
                    try contender.posts(producers: $0, each: all / $0, capturing: true)
                }
            }
                + ChildRival.subjects {
                    try $0.posts(producers: $1, each: all / $1, capturing: true)
                })
    }

    private static func pairs(_ plan: Plan) -> Sweep {
        let all = plan.choose(32_000, quick: 6_400)
        return Sweep(
            "cross-thread", "Arm and cancel a timer from this many threads at once.",
            axis: .producers, metric: .cpu,
            sizes: plan.choose(producers, quick: [1, 4, 16, 64]),
            subjects: everybody.filter { $0.takesThreads }.map { contender in
                Sweep.Subject(contender.name) {
                    try contender.pairsFromThreads($0, each: all / $0)
                }
            }
                + ChildRival.subjects(except: [.libev]) {
                    try $0.pairsFromThreads($1, each: all / $1)
                })
    }

    private static func lateness(_ plan: Plan) -> Sweep {
        let count = plan.choose(1_000, quick: 50)
        return Sweep(
            "lateness", "How late single timers of 1 to 3 ms fire: this share of them is no later.",
            axis: .percentile, metric: .p50, sizes: [count],
            subjects: everybody.map { contender in
                Sweep.Subject(contender.name) { try contender.lateness($0) }
            } + [
                Sweep.Subject(RivalName.libuv) {
                    try RawUV.lateness(count: $0, outstanding: 1_000)
                }
            ] + ChildRival.subjects { try $0.lateness(count: $1, outstanding: 1_000) })
    }
}
