// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

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
                subject: Side(Loop.sideName) { try read(Loop.self, count) },
                rivals: [
                    Side(RivalName.backend, [.bytes]) { try read(DispatchBackend.self, fewer) },
                    Side(RivalName.source, [.bytes]) { try DispatchMemory.standing(fewer) },
                    Side(RivalName.libuv, [.bytes]) { try RawUV.standing(count) },
                ])
        }
    }

    private static func read<Context: Contender>(
        _ context: Context.Type, _ count: Int
    ) throws -> Measurement {
        try Held.read(context, count, delays: .far, capturing: false, cancel: .onContext)
    }
}
