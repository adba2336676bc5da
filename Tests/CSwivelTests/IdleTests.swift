// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Foundation
import Testing

/// Real time goes by while nothing is to be done.
@Suite struct IdleTimingTests {
    private struct Sleeper {
        let name: String
        let loop: TestLoop
        let thread: Int32
        let sleeps: UInt64
        let wakes: UInt64

        init(_ name: String, _ loop: TestLoop) {
            self.name = name
            self.loop = loop
            let cell = ThreadCell(loop)
            thread = cell.thread
            // Until it has fallen asleep after that.
            awaitUntil {
                let before = swivel_process_sleeps(cell.thread)
                usleep(30_000)
                return swivel_process_sleeps(cell.thread) == before
            }
            sleeps = swivel_process_sleeps(thread)
            wakes = loop.counters.wakes
        }

        var sleepsSince: UInt64 { swivel_process_sleeps(thread) - sleeps }
    }

    /// The wake-ups are counted, so the time only gives them the occasion: less while debugging.
    private static let seconds: UInt32 = isDebugBuild ? 2 : 10

    /// S5: by the kernel's own count of how often a thread went to sleep.
    @Test func idleLoopsAreNotWoken() async throws {
        try await offPool {
            let hour: UInt64 = 3_600_000_000_000
            let cell = Cell()
            let empty = Sleeper("empty", try TestLoop())
            let one = try TestLoop()
            _ = one.schedule(after: hour, cell)
            let many = try TestLoop()
            for number in 0..<10_000 as Range<UInt64> {
                _ = many.schedule(after: hour + number * 1_000_000, leeway: number, cell)
            }
            let cancelled = try TestLoop()
            let near = cancelled.schedule(after: 1_000_000_000, cell)
            cancelled.flush()
            swivel_cancel(near)
            let rearmed = try TestLoop()
            let timer = rearmed.keep(cell)
            swivel_reusable_arm(timer, rearmed.now + hour, 0)
            let sleepers = [
                empty, Sleeper("one timer", one), Sleeper("10,000 timers", many),
                Sleeper("an expiry that a cancel left", cancelled),
                Sleeper("a reusable timer", rearmed),
            ]
            sleep(Self.seconds)
            for sleeper in sleepers {
                let allowed: UInt64 = sleeper.name.hasPrefix("an expiry") ? 1 : 0
                #expect(sleeper.sleepsSince <= allowed, "\(sleeper.name)")
                #expect(sleeper.loop.counters.wakes == sleeper.wakes, "\(sleeper.name)")
            }
            swivel_reusable_free(timer)
        }
    }
}

/// Asks a loop which thread it runs on.
private final class ThreadCell {
    let thread: Int32

    init(_ loop: TestLoop) {
        let found = Found()
        let cell = Cell { found.thread = swivel_process_thread() }
        loop.post(cell)
        cell.awaitRun()
        thread = found.thread
    }

    private final class Found: @unchecked Sendable {  // because it is read after the cell has run
        var thread: Int32 = 0
    }
}
