// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The fate of instants that passed while a repeat could not run: T4, with exact sequences.
@Suite(.offPool) struct MissedTickTests {
    private let probe = Probe()

    /// One tick as [index, scheduled, started, missed]; milliseconds since the epoch.
    private func record(_ tick: Tick, on loop: Loop) -> [Int] {
        let scheduled = Int(tick.scheduled.nanoseconds - epoch.nanoseconds) / 1_000_000
        #expect(tick.lateness == .milliseconds(loop.elapsed - scheduled))
        return [tick.index, scheduled, loop.elapsed, tick.missed]
    }

    /// A repeat of 10 ms whose ticks take the given times, in milliseconds.
    private func ticks(
        _ missed: MissedTicks, taking times: [Int: Int], until end: Int
    ) throws -> (ticks: [[Int]], missed: Int) {
        let loop = try manualLoop()
        let ticks = Shared<[[Int]]>()
        loop.schedule(
            every: .milliseconds(10), missed: missed,
            probe.tick { tick in
                let number = ticks.value.count
                ticks.append(record(tick, on: loop))
                loop.advance(by: .milliseconds(times[number] ?? 0))
            })
        loop.advance(by: .milliseconds(end))
        let counted = loop.metrics.missed
        loop.shutdown()
        return (ticks.value, counted)
    }

    /// T4, the default: the latest instant that passed gets the tick, the index jumps over the
    /// others, and the grid stays.
    @Test func skipJumpsToTheLatestInstant() throws {
        let result = try ticks(.skip, taking: [1: 35, 2: 10, 3: 9], until: 100)
        #expect(
            result.ticks == [
                [0, 10, 10, 0], [1, 20, 20, 0], [4, 50, 55, 2], [5, 60, 65, 0], [6, 70, 74, 0],
                [7, 80, 80, 0], [8, 90, 90, 0], [9, 100, 100, 0],
            ])
        #expect(result.missed == 2)
    }

    /// T4, F1: ticks that catch up let other timers that are due go first.
    @Test func ticksThatCatchUpStarveNothing() throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        loop.schedule(
            every: .milliseconds(10), missed: .burst,
            probe.tick { tick in
                order.append(tick.index)
                if tick.index == 0 { loop.advance(by: .milliseconds(30)) }
            })
        loop.schedule(after: .milliseconds(25), probe.work { order.append(-1) })
        loop.schedule(after: .milliseconds(35), probe.work { order.append(-2) })
        loop.advance(by: .milliseconds(40))
        #expect(order.value == [0, 1, -1, -2, 2, 3])
        loop.shutdown()
    }
}
