// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// A million timeouts of an hour that were cancelled: what they leave behind.
enum CancelledTimeouts: Scenario {
    static let name = "cancelled-timeouts"
    static let summary = "growth of private memory left by 1M one-hour timeouts after their cancel"

    static func contests(_ plan: Plan) -> [Contest] {
        let places: [(String, Held.Place)] = [
            ("on the loop", .onContext), ("from another thread", .elsewhere),
        ]
        let sources = plan.choose(100_000, quick: 8_000)
        // Few of those which hold memory for the rest of the hour: the share is what counts.
        let few = 20_000
        let dispatch = places.map { variant, place in
            contest(
                variant, place,
                [
                    Side(RivalName.backend, [.growth]) {
                        try read(DispatchBackend.self, sources, place)
                    },
                    Side(RivalName.source, [.growth]) {
                        try DispatchMemory.cancelledSources(
                            sources, onQueue: place == .onContext)
                    },
                ])
        }
        // One after the other: what these keep lies scattered, with holes that would make the
        // other's growth look less than it is.
        let keepers = [
            Side(RivalName.asyncAfter, [.growth]) {
                try DispatchMemory.cancelledItems(few, onQueue: false)
            },
            Side(RivalName.task, [.growth]) { try TaskSleeps.cancelledTimeouts(few) },
        ].map { contest("from another thread", .elsewhere, [$0], leavesTimersBehind: true) }
        return dispatch + keepers
    }

    private static func contest(
        _ variant: String, _ place: Held.Place, _ rivals: [Side],
        leavesTimersBehind: Bool = false
    ) -> Contest {
        // A million where it is a budget, fewer where the rival is the news.
        let count = leavesTimersBehind ? 100_000 : 1_000_000
        return Contest(
            name, variant,
            subject: Side(Loop.sideName) { try read(Loop.self, count, place) }, rivals: rivals,
            leavesTimersBehind: leavesTimersBehind)
    }

    private static func read<Context: Contender>(
        _ context: Context.Type, _ count: Int, _ place: Held.Place
    ) throws -> Measurement {
        try Held.read(context, count, delays: .hour, capturing: true, cancel: place)
    }
}
