// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// Many timers of one slot. Whatever a loop has to do with all of them it does in steps, and posts
/// run in between.
@Suite struct CrowdTests {
    private static let count = 20_000
    private static let delay: UInt64 = 1_000_000_000

    /// Turns of one closure, which is as long as one step.
    private final class Crowd: @unchecked Sendable {  // because one thread uses it
        let loop: TestLoop
        let cells: [Cell]
        private(set) var timers: [swivel_timer] = []

        /// The timers are due at one instant, or at many instants of one slot. Unless they are to
        /// lie there in the order of firing, one of them is moved.
        init(isSpread: Bool, isInOrder: Bool = false) throws {
            loop = try TestLoop(SWIVEL_MANUAL, turnCount: 1)
            cells = (0..<CrowdTests.count).map { _ in Cell() }
            inside { [self] in
                // The first is due where a slot begins: 20,000 times 50 ns fit into it.
                let slot = UInt64(1) << 20
                let delay = CrowdTests.delay + slot - (loop.now + CrowdTests.delay) % slot
                timers = cells.indices.map { number in
                    let offset = isSpread ? UInt64(number) * 50 : 0
                    return loop.schedule(after: delay + offset, cells[number])
                }
                if !isInOrder { swivel_rearm(timers[0], delay + (isSpread ? 75 : 0)) }
            }
        }

        /// Runs the body in a closure of the loop.
        func inside(_ body: @escaping () -> Void) {
            let run = Unchecked(body)
            let cell = Cell { run.body() }
            loop.post(cell)
            while cell.ran == 0 { loop.runOnce() }
        }

        /// Lets time pass without a turn.
        func come(to instant: UInt64) {
            inside { [self] in loop.advance(to: instant) }
        }

        /// Turns until that many have fired. Each must run a post of another thread.
        func turns(untilFired wanted: Int) -> Int {
            var turns = 0
            while loop.counters.fired < wanted, turns < 10 * CrowdTests.count {
                let post = Cell()
                loop.post(post)
                loop.runOnce()
                guard post.ran == 1 else { return -1 }
                turns += 1
            }
            return turns
        }
    }

    @Test(arguments: [true, false])
    func aSlotIsEmptiedInStepsBetweenWhichPostsRun(isSpread: Bool) throws {
        let crowd = try Crowd(isSpread: isSpread)
        crowd.come(to: crowd.loop.now + 2 * Self.delay)
        let turns = crowd.turns(untilFired: 1)
        #expect(turns > Self.count / 1024, "it was emptied in one go")
        #expect(turns < Self.count / 256)
        crowd.loop.advance(by: 0)
        #expect(crowd.cells.allSatisfy { $0.ran == 1 })
    }

    @Test(arguments: [true, false])
    func aSlotInOrderIsFiredAsItIs(isSpread: Bool) throws {
        let crowd = try Crowd(isSpread: isSpread, isInOrder: true)
        let due = crowd.loop.now + 2 * Self.delay
        crowd.come(to: due)
        #expect(crowd.turns(untilFired: 1) == 1)
        crowd.inside {
            for (number, timer) in crowd.timers.enumerated() {
                if number % 3 == 0 { swivel_cancel(timer) }
                if number % 3 == 1 { swivel_rearm(timer, Self.delay) }
            }
        }
        crowd.loop.advance(to: due)
        #expect(crowd.cells.indices.allSatisfy { $0 % 3 != 2 || crowd.cells[$0].ran == 1 })
        #expect(Int(crowd.loop.counters.pending) > Self.count / 4)
        crowd.loop.advance(to: due + Self.delay)
        #expect(crowd.loop.counters.pending == 0)
        #expect(crowd.loop.counters.fired + crowd.loop.counters.cancelled == Self.count)
    }

    /// All but the last are cancelled when the slot has been emptied: they lie in the due queue.
    @Test func whatWasCancelledIsDroppedInSteps() throws {
        let crowd = try Crowd(isSpread: true)
        crowd.come(to: crowd.loop.now + 2 * Self.delay)
        _ = crowd.turns(untilFired: 1)
        crowd.inside { crowd.timers.dropLast().forEach { swivel_cancel($0) } }
        let fired = Int(crowd.loop.counters.fired)
        let turns = crowd.turns(untilFired: fired + 1)
        // A question for the next deadline makes a step too.
        #expect(turns > Self.count / 1024 / 4, "they were dropped in one go")
        #expect(turns < Self.count / 256)
        #expect(crowd.cells.last?.ran == 1)
        #expect(crowd.loop.counters.pending == 0)
    }

    /// Cancelled and moved while the slot is half empty.
    @Test func aHalfEmptiedSlotLosesAndKeepsItsTimers() throws {
        let crowd = try Crowd(isSpread: false)
        let due = crowd.loop.now + 2 * Self.delay
        crowd.come(to: due)
        (0..<5).forEach { _ in crowd.loop.runOnce() }
        #expect(crowd.loop.counters.fired == 0, "the first of them is not known yet")
        crowd.inside {
            for (number, timer) in crowd.timers.enumerated() {
                if number % 3 == 0 { swivel_cancel(timer) }
                if number % 3 == 1 { swivel_rearm(timer, Self.delay) }
            }
        }
        crowd.loop.advance(to: due + Self.delay - 1)
        #expect(crowd.cells.indices.allSatisfy { crowd.cells[$0].ran == ($0 % 3 == 2 ? 1 : 0) })
        crowd.loop.advance(to: due + Self.delay)
        #expect(crowd.cells.indices.allSatisfy { crowd.cells[$0].ran == ($0 % 3 == 0 ? 0 : 1) })
        #expect(crowd.loop.counters.pending == 0)
    }
}
