// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// Waits inside the closures of a manual loop.
@Suite(.offPool) struct WaitInVirtualTimeTests {
    /// A closure that waits for its loop's own timer ends as in production: the time passes in it.
    @Test func aWaitForTheLoopsOwnTimerEnds() throws {
        let loop = try Loop.manual(patience: .milliseconds(100))
        let line = Timeline(on: loop)
        loop.execute {
            let latch = Latch()
            loop.schedule(after: .seconds(3)) { latch.signal() }
            loop.schedule(after: .seconds(2)) { line.mark("a") }
            loop.schedule(after: .seconds(4)) { line.mark("b") }
            #expect(latch.wait())
            line.mark("c")
        }
        loop.advance(by: .seconds(1))
        #expect("\(line)" == "--ac" && loop.elapsedTime == .seconds(3))
        loop.advance(by: .seconds(1))
        #expect("\(line)" == "--acb")
    }

    /// A wait's own limit is an instant to which time can move.
    @Test func aWaitEndsAtItsLimit() throws {
        let loop = try Loop.manual(patience: .milliseconds(100))
        let ended = loop.inside { Latch().wait(until: loop.now + .seconds(5)) }
        #expect(!ended && loop.elapsedTime == .seconds(5))
    }

    /// Work that the loop has sent away comes back before time moves, however long it takes.
    @Test func whatIsUnderWayComesFirst() throws {
        let loop = try Loop.manual(patience: .seconds(50))
        let timer = loop.schedule(after: .seconds(1)) {}
        loop.inside {
            let latch = Latch()
            WorkerPool.shared.execute {
                let ends = ContinuousClock.now + .milliseconds(600)
                while ContinuousClock.now < ends {}
                latch.signal()
            }
            #expect(latch.wait())
        }
        #expect(loop.elapsedTime == .zero && timer.isPending)
    }

    /// Another thread has its time too.
    @Test func anotherThreadComesFirst() throws {
        let loop = try Loop.manual(patience: .seconds(1000))
        loop.schedule(after: .seconds(1)) {}
        let (latch, began) = (Latch(), Gate())
        let thread = TestThread {
            began.wait()
            latch.signal()
        }
        loop.inside {
            began.open()
            #expect(latch.wait())
        }
        thread.join()
        #expect(loop.elapsedTime == .zero)
    }
}
