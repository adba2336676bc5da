// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// The memory that an armed timer holds.
enum TimerMemory: Scenario {
    static let name = "memory"
    static let summary =
        "private memory per outstanding timer, without captures and with; the memory of handles that "
        + "a program keeps is not counted, but a libuv timer is its handle"

    private static let count = 100_000

    static func contests(_ plan: Plan) -> [Contest] {
        let libuv = Side(RivalName.libuv, [.bytes]) { try RawUV.standing(count) }
        let variants = [
            ("100k", Timeouts.standing), ("100k, capturing", .ofAnHour(elsewhere: false)),
        ]
        return [
            Contest(
                name, "idle connections", subject: Side(Loop.name) { try idleEntries() },
                rivals: [libuv]),
            Contest(
                name, "deadline entries", subject: Side(Loop.name) { try deadlineEntries() },
                rivals: [libuv]),
        ]
            + variants.map { variant, timeouts in
                Contest(
                    name, variant,
                    subject: Side(Loop.name) { try Loop.memory(count, of: timeouts) },
                    // A source needs the same however many there are.
                    rivals: LineUp.timers.sides([.bytes], beside: 10_000) {
                        try $0.memory(10_000, of: timeouts)
                    } + (variant == "100k" ? [libuv] : []),
                    reason: "a timer takes a cache line of its own, and its closure's context more")
            }
    }

    /// A tracker that has ended leaves its memory to the next, which would then seem to need none:
    /// those that are measured stay.
    private static let kept = Kept<(Loop, any Sendable)>(64)

    private static func idleEntries() throws -> Measurement {
        let loop = try Loop()
        let tracker = IdleTracker<Int>(on: loop, after: .seconds(600)) { _ in }
        kept.append((loop, tracker))
        let entries = Kept<IdleEntry>(count)
        return try read({ entries.append(tracker.add($0)) }) {
            entries.forEach { _ = $0.remove() }
        }
    }

    private static func deadlineEntries() throws -> Measurement {
        let loop = try Loop()
        let queue = DeadlineQueue<Int>(on: loop) { _ in }
        kept.append((loop, queue))
        let entries = Kept<DeadlineEntry>(count)
        return try read({ entries.append(queue.add($0, after: .seconds(3_600))) }) {
            entries.forEach { _ = $0.remove() }
        }
    }

    private static func read(
        _ add: @escaping (Int) -> Void, _ remove: @escaping () -> Void
    ) throws -> Measurement {
        try MemoryReading.ofTimers(
            count,
            arm: {
                for id in 0..<count { add(id) }
                return count
            },
            cancel: {
                remove()
                return count
            })
    }
}
