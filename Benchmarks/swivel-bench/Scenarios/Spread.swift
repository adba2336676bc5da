// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// A hundred thousand firings a second, evenly: what a wake-up costs, and what leeway spares.
enum Spread: Scenario {
    static let name = "spread"
    static let summary = "100k firings a second, evenly spread, by leeway"

    static func contests(_ plan: Plan) -> [Contest] {
        // For half a second, or a twentieth.
        let count = plan.choose(50_000, quick: 5_000)
        let offsets = (0..<count).map { $0 * 10_000 }
        return [("exact", 0), ("100 µs leeway", 100_000), ("1 ms leeway", 1_000_000)].map {
            variant, leeway in
            // Those that know no leeway fire exactly, which is the first row.
            // Foundation's take the longest; a brief run leaves them out.
            let rivals = LineUp.timers.filter {
                RivalName.isDispatch($0.name)
                    || leeway == 0 && !(plan.isBrief && $0.name == RivalName.foundation)
            }
            // Milliseconds are all that libuv and tokio have, and Go's poller sleeps no shorter.
            let libuv = Side(RivalName.libuv, [.cpu]) {
                try RawUV.spread(count, range: count * 10_000)
            }
            let children = ChildRival.sides([.cpu]) {
                try $0.spread(count, range: count * 10_000)
            }
            return Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try Loop.fire(offsets: offsets, leeway: leeway, blocked: false)
                },
                rivals: rivals.sides([.cpu], beside: count) {
                    try $0.fire(offsets: offsets, leeway: leeway, blocked: false)
                } + (leeway == 1_000_000 ? [libuv] + children : []))
        }
    }
}
