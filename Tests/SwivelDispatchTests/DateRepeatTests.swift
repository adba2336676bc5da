// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
@testable import SwivelDispatch
import SwivelTestSupport
import Testing

/// Repeats that start at a date.
@Suite(.offPool) struct DateRepeatTests {
    private let probe = Probe()

    private func schedule(
        _ wall: TestWall, at seconds: Double, _ work: @escaping @Sendable (Tick) -> Void
    ) -> TimerHandle {
        wall.timers.schedule(
            at: TestWall.start + seconds, on: wall.loop,
            .every(.seconds(1), missed: .skip, jitter: nil, probe.work(work)))
    }

    @Test func t3TheGridStartsAtTheDateAndKeepsToTheLoopsClock() throws {
        let wall = try TestWall()
        let ticks = Shared<[String]>([])
        let timer = schedule(wall, at: 10) { tick in
            let late = tick.lateness >= .milliseconds(1) ? "late" : "in time"
            ticks.update {
                $0.append("\(tick.index) at \(wall.elapsed.rounded()), \(late), \(tick.missed)")
            }
        }
        wall.advance(9.9)
        #expect(ticks.value.isEmpty)
        wall.advance(1.2)
        // The wall clock decides the first instant only.
        wall.step(-3600)
        wall.advance(1)
        wall.step(7200)
        wall.advance(1)
        #expect(
            ticks.value == [
                "0 at 10.0, in time, 0", "1 at 11.0, in time, 0", "2 at 12.0, in time, 0",
                "3 at 13.0, in time, 0",
            ])
        #expect(timer.cancel() == .cancelled)
        #expect(probe.released == 1)
    }

    /// T9: neither the date's leeway nor the grid's costs a tick.
    @Test(arguments: [MissedTicks.skip, .delay, .burst])
    func t9LeewayCostsNoTick(_ missed: MissedTicks) throws {
        let wall = try TestWall()
        let ticks = Shared<[Tick]>([])
        let timer = wall.timers.schedule(
            at: TestWall.start + 10, on: wall.loop, leeway: .seconds(5),
            .every(
                .seconds(1), missed: missed, jitter: nil,
                probe.tick { tick in ticks.append(tick) }))
        wall.advance(20.6)
        timer.cancel()
        #expect(ticks.value.map(\.index) == Array(0...10))
        #expect(ticks.value.allSatisfy { $0.missed == 0 && $0.lateness <= .milliseconds(500) })
    }

    @Test func afterAStepTheGridStartsAtTheStepAndNothingIsMissed() throws {
        let wall = try TestWall()
        let ticks = Shared<[Tick]>([])
        let timer = schedule(wall, at: 86_400) { tick in ticks.update { $0.append(tick) } }
        wall.advance(5)
        wall.step(2 * 86_400)
        #expect(ticks.value.map(\.index) == [0])
        wall.advance(1.5)
        #expect(ticks.value.map(\.index) == [0, 1])
        #expect(ticks.value.allSatisfy { $0.missed == 0 })
        timer.cancel()
    }

    @Test func theEndComesAfterTheClosuresRelease() throws {
        let queue = DispatchQueue(label: "test.dates")
        let loop = try Loop()
        for context in [queue, loop] as [any ExecutionContext] {
            checkEndComesAfterTheRelease { context.schedule(at: soon, $0) }
            checkEndComesAfterTheRelease {
                context.schedule(every: .milliseconds(1), startingAt: soon, $0)
            }
        }
    }

    /// A date that has not come: one that has needs no timer of the wall clock's.
    private var soon: Date { Date(timeIntervalSinceNow: 0.005) }
}
