// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Handles as values, timers bound to a scope, and waiting for a running closure.
@Suite(.offPool) struct HandleTests {
    private let probe = Probe()

    @Test func handlesAreHashableValues() throws {
        let loop = try manualLoop()
        let first = loop.schedule(after: .seconds(1), probe.work())
        let second = loop.schedule(after: .seconds(1), probe.work())
        #expect(first != second && first == first)
        #expect(Set([first, second, first]).count == 2)
        let copy = first
        #expect(copy.hashValue == first.hashValue)
        #expect(copy.cancel() == .cancelled)
        #expect(first.cancel() == .finished)
        #expect(MemoryLayout<TimerHandle>.size == 16)
        loop.shutdown()
    }

    /// Timers of two loops may have the same number: in a new process their first ones do.
    @Test func aHandleOfAnotherLoopIsNotThisLoops() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, other) = (try Loop.manual(), try Loop.manual())
                let handles = Shared<[TimerHandle]>()
                for each in [loop, other] {
                    each.execute { handles.append(each.schedule(after: .hours(1)) {}) }
                    each.runDue()
                }
                let (mine, theirs) = (handles.value[0], handles.value[1])
                require(mine.id == theirs.id && mine != theirs, "\(mine), \(theirs)")
                loop.execute { require(theirs.cancel() == .cancelled, "it was pending") }
                loop.runDue()
                require(mine.isPending && !theirs.isPending, "the other loop's is cancelled")
                require(loop.pending.count == 1 && other.pending.isEmpty, "as the lists say")
            }
        }
    }

    @Test func aScopedTimerIsCancelledAtTheEndOfItsScope() throws {
        let loop = try manualLoop()
        do {
            let timer = loop.schedule(after: .milliseconds(1), probe.work()).scoped()
            let isPending = timer.isPending
            #expect(isPending && probe.released == 0)
        }
        #expect(probe.released == 1)
        loop.advance(by: .milliseconds(5))
        #expect(probe.ran == 0)
    }

    @Test func aScopedTimerCanBeCancelledBeforeAndAfterItFired() throws {
        let loop = try manualLoop()
        do {
            let timer = loop.schedule(after: .milliseconds(1), probe.work()).scoped()
            let results = [timer.cancel(), timer.cancel()]
            #expect(results == [.cancelled, .finished])
        }
        do {
            let timer = ScopedTimer(loop.schedule(after: .milliseconds(1), probe.work()))
            loop.advance(by: .milliseconds(1))
            let isPending = timer.isPending
            #expect(!isPending)
        }
        #expect(probe.ran == 1 && probe.released == 2)
    }

    @Test func aReleasedScopedTimerGoesOn() throws {
        let loop = try manualLoop()
        func arm() -> TimerHandle {
            loop.schedule(after: .milliseconds(1), probe.work()).scoped().release()
        }
        let handle = arm()
        #expect(handle.isPending)
        loop.advance(by: .milliseconds(1))
        #expect(probe.ran == 1)
    }

    /// A running closure has returned, and a repeat's has been released, before it returns.
    @Test(arguments: [true, false])
    func cancelAndWaitWaitsForARunningClosure(repeats: Bool) async throws {
        let loop = try threadedLoop()
        for _ in 0..<20 {
            await checkCancelAndWait { work in
                repeats
                    ? loop.schedule(every: .microseconds(10), work)
                    : loop.schedule(after: .microseconds(10), work)
            }
        }
        await loop.shutdown()
    }

    @Test(arguments: [true, false])
    func theEndComesAfterTheClosuresRelease(repeats: Bool) async throws {
        let loop = try threadedLoop()
        checkEndComesAfterTheRelease { work in
            repeats
                ? loop.schedule(every: .microseconds(10), work)
                : loop.schedule(after: .microseconds(10), work)
        }
        await loop.shutdown()
    }
}
