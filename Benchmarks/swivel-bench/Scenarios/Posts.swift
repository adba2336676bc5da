// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// Closures handed over by other threads.
enum Posts: Scenario {
    static let name = "post"
    static let summary = "post closures from other threads, until the last one ran"

    static func contests(_ plan: Plan) -> [Contest] {
        [1, 2].flatMap { producers in
            (plan.isBrief ? [true] : [true, false]).map {
                contest(plan, producers: producers, capturing: $0)
            }
        }
    }

    private static func contest(_ plan: Plan, producers: Int, capturing: Bool) -> Contest {
        // As many on each side.
        let each = plan.choose(500_000, quick: 100_000) / producers
        let threads = producers == 1 ? "1 producer" : "\(producers) producers"
        let libuv = Side(
            RivalName.libuv, [.cpu, .wall],
            reason: "libuv runs no closure and allocates nothing"
        ) {
            try RawUV.posts(producers: producers, each: each, capturing: capturing)
        }
        let core = BareCore.side([.cpu, .wall]) {
            try BareCore.posts(producers: producers, each: each, capturing: capturing)
        }
        return Contest(
            name, "\(threads), \(capturing ? "capturing" : "plain")",
            subject: Side(Loop.name) {
                try LineUp.subject.posts(producers: producers, each: each, capturing: capturing)
            },
            rivals: LineUp.posts.sides([.cpu, .wall]) {
                try $0.posts(producers: producers, each: each, capturing: capturing)
            } + [libuv, core]
                + ChildRival.sides([.cpu, .wall]) {
                    try $0.posts(producers: producers, each: each, capturing: capturing)
                })
    }
}

extension Contender {
    static func posts(producers: Int, each: Int, capturing: Bool) throws -> Measurement {
        let context = try Self.open()
        // A loop is 10 ms old before anything is measured on it; see `Field`.
        Clocks.pause(12_000_000)
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
        try measurement.checkPosts(sum, producers: producers, each: each, capturing: capturing)
        try measurement.check("left behind", context.close(), is: 0)
        return measurement
    }
}

extension Measurement {
    /// Every post has run once: those that capture have added their numbers, the others count.
    mutating func checkPosts(
        _ sum: Tally, producers: Int, each: Int, capturing: Bool
    ) throws {
        if capturing {
            try check("sum", sum.value, is: producers * (each * (each - 1) / 2))
        } else {
            try check("ran", PlainCount.take(), is: producers * each)
        }
    }
}
