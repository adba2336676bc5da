// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel

/// The memory that an armed timer holds.
enum TimerMemory: Scenario {
    static let name = "memory"
    static let summary = "private memory for each outstanding timer without captures"

    static func contests(_ plan: Plan) -> [Contest] {
        let sizes = [("100k", 100_000)] + (plan.isQuick ? [] : [("1M", 1_000_000)])
        return sizes.map { variant, count in
            // A source needs the same however many there are; a quick run makes fewer.
            let fewer = plan.choose(count, quick: 20_000)
            return Contest(
                name, variant,
                subject: Side(Loop.name) { try Loop.memory(count, of: .standing) },
                rivals: LineUp.timers.sides([.bytes], beside: fewer) {
                    try $0.memory($0.canCancelAll(fewer) ? fewer : 20_000, of: .standing)
                } + [Side(RivalName.libuv, [.bytes]) { try RawUV.standing(count) }])
        }
    }
}
