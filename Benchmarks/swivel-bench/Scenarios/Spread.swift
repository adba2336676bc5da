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
        return [("exact", 0), ("1 ms leeway", 1_000_000)].map { variant, leeway in
            Contest(
                name, variant,
                subject: Side(Loop.name) {
                    try Loop.fire(offsets: offsets, leeway: leeway, blocked: false)
                },
                // Those that have no leeway fire exactly, which is the first row.
                rivals: LineUp.timers.filter { leeway == 0 || $0.name == RivalName.source }
                    .sides([.cpu], beside: count) {
                        try $0.fire(offsets: offsets, leeway: leeway, blocked: false)
                    })
        }
    }
}
