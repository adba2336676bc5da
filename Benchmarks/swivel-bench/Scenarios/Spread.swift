// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// A hundred thousand firings a second, evenly: what a wake-up costs, and what leeway spares.
enum Spread: Scenario {
    static let name = "spread"
    static let summary = "100k firings a second, evenly spread, by leeway"

    static func contests(_ plan: Plan) -> [Contest] {
        // The same rate in a quick run, for a shorter time.
        let count = plan.choose(100_000, quick: 5_000)
        let offsets = (0..<count).map { $0 * 10_000 }
        return [("exact", 0), ("100 µs leeway", 100_000), ("1 ms leeway", 1_000_000)].map {
            variant, leeway in
            var rivals = [
                Side(RivalName.backend, [.cpu]) {
                    try fire(DispatchBackend.self, offsets, leeway)
                },
                Side(RivalName.source, [.cpu]) {
                    try DispatchFiring.fire(offsets: offsets, leeway: leeway, blocked: false)
                },
            ]
            // Milliseconds are all that libuv has.
            if leeway == 1_000_000 {
                rivals.append(
                    Side(RivalName.libuv, [.cpu]) {
                        try RawUV.spread(count, range: count * 10_000)
                    })
            }
            return Contest(
                name, variant,
                subject: Side(Loop.sideName) { try fire(Loop.self, offsets, leeway) },
                rivals: rivals)
        }
    }

    private static func fire<Context: Contender>(
        _ context: Context.Type, _ offsets: [Int], _ leeway: Int
    ) throws -> Measurement {
        try Armed.fire(
            context, offsets: offsets, leeway: .nanoseconds(leeway), blocked: false,
            lead: Armed.lead(Context.sideName, count: offsets.count))
    }
}
