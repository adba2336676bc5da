// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel

/// Closures that other threads post.
enum Posts: Scenario {
    static let name = "post"
    static let summary =
        "post capturing closures from other threads: a flood, or in batches with a wait after each"

    static func contests(_ plan: Plan) -> [Contest] {
        let batches = [("one and wait", 1)] + [10, 100, 1_000].map { ("batches of \($0)", $0) }
        return batches.map { variant, batch in
            // Quick turns for single posts, enough of them for large batches.
            let count = plan.choose(200_000, quick: 20_000) / (batch == 1 ? 4 : 1)
            return Contest(
                name, variant,
                subject: Side(Loop.name) { try LineUp.subject.batches(of: batch, count) },
                rivals: LineUp.posts.sides([.cpu, .wall]) { try $0.batches(of: batch, count) },
                reason: "each batch ends with a wake-up of two sleeping threads")
        } + [1, 2].map { flood(producers: $0) }
    }

    private static func flood(producers: Int) -> Contest {
        let each = 1_000_000 / producers
        let libuv = Side(
            RivalName.libuv, [.cpu, .wall],
            reason: "libuv runs no closure and allocates nothing"
        ) { try RawUV.posts(producers: producers, each: each) }
        return Contest(
            name, "flood of a million, \(producers == 1 ? "1 producer" : "\(producers) producers")",
            subject: Side(Loop.name) {
                try LineUp.subject.flood(producers: producers, each: each)
            },
            rivals: LineUp.posts.sides([.cpu, .wall]) {
                try $0.flood(producers: producers, each: each)
            } + [libuv]
                + ChildRival.sides(except: RivalName.libev, [.cpu, .wall]) {
                    try $0.posts(producers: producers, each: each)
                })
    }
}

extension Contender {
    /// Fresh threads post as fast as they can.
    static func flood(producers: Int, each: Int) throws -> Measurement {
        let context = try Self.open()
        // A loop is 10 ms old before anything is measured on it; see `Field`.
        Clocks.pause(12_000_000)
        let sum = Tally()
        let last = DispatchSemaphore(value: 0)
        let span = Producers.time(producers) { _ in
            for index in 0..<each { context.post { sum.cell.pointee &+= index } }
            context.post { last.signal() }
        } drained: {
            for _ in 0..<producers { last.wait() }
        }
        var measurement = Measurement(span, operations: producers * each)
        try measurement.check("sum", sum.value, is: producers * (each * (each - 1) / 2))
        try measurement.check("left behind", context.close(), is: 0)
        return measurement
    }

    /// A thread posts some closures, and waits until the last of them signals.
    static func batches(of batch: Int, _ count: Int) throws -> Measurement {
        let context = try Self.open()
        Clocks.pause(12_000_000)
        let sum = Tally()
        let ran = DispatchSemaphore(value: 0)
        let work: @Sendable (Int) -> Void = { count in
            for first in stride(from: 0, to: count, by: batch) {
                for index in first..<(first + batch - 1) {
                    context.post { sum.cell.pointee &+= index }
                }
                let index = first + batch - 1
                context.post {
                    sum.cell.pointee &+= index
                    ran.signal()
                }
                ran.wait()
            }
        }
        let span = Producers.time(1, warmUp: { _ in work(10 * batch) }, { _ in work(count) }) {}
        var measurement = Measurement(span, operations: count)
        let warm = 10 * batch
        try measurement.check(
            "sum", sum.value, is: count * (count - 1) / 2 + warm * (warm - 1) / 2)
        try measurement.check("left behind", context.close(), is: 0)
        return measurement
    }
}
