// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Closures handed over by other threads.
enum Posts: Scenario {
    static let name = "post"
    static let summary = "post closures from other threads, until the last one ran"

    static func contests(_ plan: Plan) -> [Contest] {
        [1, 2].flatMap { producers in
            [true, false].map { contest(plan, producers: producers, capturing: $0) }
        }
    }

    private static func contest(_ plan: Plan, producers: Int, capturing: Bool) -> Contest {
        let each = plan.choose(1_000_000, quick: 100_000) / producers
        let threads = producers == 1 ? "1 producer" : "\(producers) producers"
        return Contest(
            name, "\(threads), \(capturing ? "capturing" : "plain")",
            subject: Side(Loop.sideName) {
                try posts(Loop.self, producers: producers, each: each, capturing: capturing)
            },
            rivals: [
                Side(RivalName.backend, [.cpu, .wall]) {
                    try posts(
                        DispatchBackend.self, producers: producers, each: each,
                        capturing: capturing)
                },
                Side(RivalName.queue, [.cpu, .wall]) {
                    try DispatchPosts.posts(
                        producers: producers, each: each, capturing: capturing)
                },
                Side(
                    RivalName.libuv, [.cpu, .wall],
                    reason: "libuv runs no closure and allocates nothing"
                ) {
                    try RawUV.posts(producers: producers, each: each, capturing: capturing)
                },
            ])
    }

    private static func posts<Context: Contender>(
        _: Context.Type, producers: Int, each: Int, capturing: Bool
    ) throws -> Measurement {
        let field = try Field<Context>(outstanding: 1_000)
        let context = field.context
        let sum = Tally()
        let last = DispatchSemaphore(value: 0)
        _ = PlainCount.take()
        let span = Producers.time(producers) { _ in
            if capturing {
                for index in 0..<each { context.post { sum.cell.pointee &+= index } }
            } else {
                for _ in 0..<each { context.post { PlainCount.raise() } }
            }
            context.post { last.signal() }
        } drained: {
            for _ in 0..<producers { last.wait() }
        }
        var measurement = Measurement(span, operations: producers * each)
        if capturing {
            try measurement.check("sum", sum.value, is: producers * (each * (each - 1) / 2))
        } else {
            try measurement.check("ran", PlainCount.take(), is: producers * each)
        }
        try field.close(&measurement)
        return measurement
    }
}
