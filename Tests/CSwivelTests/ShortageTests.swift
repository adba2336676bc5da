// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// An inbox without room. The loop's own thread cannot wait until it is drained: no other thread
/// does. And memory that does not come back.
@Suite struct ShortageTests {
    private static let hour: UInt64 = 3_600_000_000_000

    /// Accepted timers fire, late, and the core does not ask for memory again and again.
    @Test(.enabled(if: !swivel_is_under_tsan() && !swivel_is_under_asan(), "shadows need memory"))
    func acceptedTimersFireWithoutMemory() async {
        await #expect(processExitsWith: .success) {
            #expect(swivel_shortage_of_pages(20_000).map { String(cString: $0) } == nil)
        }
    }

    /// Another thread's action on the timer before the loop's thread moves it.
    enum Before: CaseIterable, Sendable {
        case armed, armedAsAPost, armedAndMoved, moved, movedTwice
    }

    /// T1, F2: the loop's own rearm has the last word, and runs nothing.
    @Test(arguments: Before.allCases)
    func theLoopMovesATimerOfAnotherThread(_ before: Before) throws {
        let loop = try TestLoop(SWIVEL_MANUAL)
        let timed = Cell()
        let posted = Cell()
        var timer = swivel_timer()
        switch before {
        case .armed, .armedAsAPost, .armedAndMoved: break
        case .moved, .movedTwice:
            timer = loop.schedule(after: Self.hour, timed)
            loop.advance(by: 0)
        }
        var moved = false
        loop.onItsThread {
            runOnThread {
                switch before {
                case .armed, .armedAndMoved: timer = loop.schedule(after: 1_000, timed)
                case .armedAsAPost: timer = loop.schedule(after: 0, timed)
                case .moved, .movedTwice: break
                }
                loop.post(posted)
                if before != .armed && before != .armedAsAPost { swivel_rearm(timer, 2_000) }
                if before == .movedTwice { swivel_rearm(timer, 3_000) }
            }
            swivel_inbox_pretend_full(loop.record)
            moved = swivel_rearm(timer, 5_000)
            #expect(posted.ran == 0, "a post ran inside the caller's stack")
            #expect(timed.ran == 0)
        }
        #expect(moved)
        loop.advance(by: 4_999)
        #expect(timed.ran == 0, "fired before the deadline of the last rearm")
        #expect(posted.ran == 1)
        loop.advance(by: 1)
        #expect(timed.ran == 1)
        #expect(timed.released == 1)
        #expect(loop.counters.pending == 0)
    }

    /// A message that another thread sends while the loop's thread helps itself comes after.
    @Test func aLaterMoveOfAnotherThreadComesLater() throws {
        let loop = try TestLoop(SWIVEL_MANUAL)
        let cell = Cell()
        var timer = swivel_timer()
        loop.onItsThread {
            runOnThread { timer = loop.schedule(after: 1_000, cell) }
            swivel_inbox_pretend_full(loop.record)
            #expect(swivel_rearm(timer, 5_000))
        }
        runOnThread { swivel_rearm(timer, 9_000) }
        loop.advance(by: 8_999)
        #expect(cell.ran == 0)
        loop.advance(by: 1)
        #expect(cell.ran == 1)
    }

    @Test func theLoopArmsAReusableTimerOfAnotherThread() throws {
        let loop = try TestLoop(SWIVEL_MANUAL)
        let cell = Cell()
        let start = loop.now
        var timer = swivel_timer()
        loop.onItsThread {
            runOnThread {
                timer = loop.keep(cell)
                swivel_reusable_arm(timer, start + 1_000, 0)
            }
            swivel_inbox_pretend_full(loop.record)
            #expect(swivel_reusable_arm(timer, start + 5_000, 0))
        }
        loop.advance(to: start + 4_999)
        #expect(cell.ticks == 0)
        loop.advance(to: start + 10_000)
        #expect(cell.ticks == 1)
        swivel_reusable_free(timer)
        loop.shutdown()
        #expect(cell.released == 1)
    }
}

extension TestLoop {
    /// Runs the body in a closure of the loop, which is manual.
    fileprivate func onItsThread(_ body: @escaping () -> Void) {
        let run = Unchecked(body)
        let cell = Cell { run.body() }
        post(cell)
        advance(by: 0)
        #expect(cell.ran == 1)
    }
}
