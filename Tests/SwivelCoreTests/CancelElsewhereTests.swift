// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Cancels from other threads, and what they cost: C2, C3.
@Suite(.offPool) struct CancelElsewhereTests {
    private let probe = Probe()

    /// C2: the canceller has released the captures when `cancel()` returns, parked loop or not.
    @Test func aCancelElsewhereReleasesBeforeItReturns() throws {
        let loop = try threadedLoop()
        for number in 0..<500 {
            let handle = loop.schedule(after: .hours(1), probe.work())
            if number % 2 == 0 {
                loop.onThread {}
            }
            #expect(handle.cancel() == .cancelled)
            #expect(probe.released == number + 1)
            #expect(handle.cancel() == .finished)
        }
        #expect(loop.shutdown().cancelled == 0)
        #expect(probe.ran == 0)
    }

    /// C2: a closure that is under way is running, for one-shots and repeats.
    @Test(arguments: [true, false])
    func aClosureUnderWayIsRunning(repeats: Bool) throws {
        let loop = try threadedLoop()
        let began = Gate()
        let mayEnd = Gate()
        let wait: @Sendable () -> Void = {
            began.open()
            mayEnd.wait()
        }
        let handle =
            repeats
            ? loop.schedule(every: .milliseconds(1), probe.work(wait))
            : loop.schedule(after: .milliseconds(1), probe.work(wait))
        began.wait()
        #expect(handle.isPending == repeats)
        #expect(handle.cancel() == .running)
        #expect(handle.cancel() == .running)
        #expect(!handle.isPending)
        #expect(!handle.rearm(after: .zero))
        #expect(probe.released == 0)
        mayEnd.open()
        loop.onThread {}
        #expect(handle.cancel() == .finished)
        #expect(probe.ran == 1 && probe.released == 1)
        loop.shutdown()
    }

    /// C2: nodes cancelled elsewhere follow in the loop's next turn, which more than 1,024 force.
    @Test func manyCancelsElsewhereWakeAParkedLoop() throws {
        let loop = try threadedLoop()
        var handles: [TimerHandle] = []
        for _ in 0..<10_000 {
            handles.append(loop.schedule(after: .hours(1), probe.work()))
        }
        loop.onThread {}
        handles.forEach { #expect($0.cancel() == .cancelled) }
        let ends = SuspendingClock.now + .seconds(30)
        while loop.metrics.cancelled < 10_000 - 1_024 && SuspendingClock.now < ends {}
        #expect(loop.metrics.cancelled >= 10_000 - 1_024)
        loop.endTurn()
        #expect(loop.metrics.cancelled == 10_000)
        #expect(loop.metrics.pending == 0)
        loop.shutdown()
    }

    /// C2: as above, by way of timers that the loop has never read from its inbox.
    @Test func timersCancelledBeforeTheLoopHasReadThemAreReclaimed() throws {
        let loop = try manualLoop()
        for _ in 0..<5_000 {
            #expect(loop.schedule(after: .hours(1), probe.work()).cancel() == .cancelled)
            #expect(loop.schedule(every: .hours(1), probe.work()).cancel() == .cancelled)
        }
        #expect(probe.live == 0)
        loop.settle()
        #expect(loop.metrics.cancelled == 10_000)
        #expect(loop.metrics.pending == 0)
    }

    #if os(Linux)
    /// C3: a million one-hour timeouts leave less than 5 % of their growth, cancelled on the loop
    /// and again from another thread.
    @Test(.enabled(if: !Machine.isSanitized), arguments: [true, false])
    func cancelledTimersHoldNoMemory(inside: Bool) throws {
        let count = Machine.scaled(1_000_000, by: 4)
        let loop = try threadedLoop()
        let handles = Shared<[TimerHandle]>()
        handles.update { $0.reserveCapacity(count) }
        let arm: @Sendable () -> Void = {
            handles.update { handles in
                handles.removeAll(keepingCapacity: true)
                for _ in 0..<count {
                    handles.append(loop.schedule(after: .hours(1)) {})
                }
            }
        }
        let cancel: @Sendable () -> Void = {
            handles.update { $0.forEach { $0.cancel() } }
        }
        // The array's own pages are there before the measurement.
        handles.update { handles in
            handles = Array(repeating: loop.schedule(after: .hours(1)) {}, count: count)
            handles[0].cancel()
        }
        loop.onThread {}
        let before = Machine.privateBytes()
        inside ? loop.onThread(arm) : arm()
        loop.onThread {}
        let armed = Machine.privateBytes()
        inside ? loop.onThread(cancel) : cancel()
        loop.onThread {}
        let after = Machine.privateBytes()
        let growth = armed - before
        // Less than they take: other pages may go back to the system meanwhile.
        #expect(growth > count * 40, "they were really there")
        #expect(growth <= count * 72 + (1 << 20), "bytes each: \(Double(growth) / Double(count))")
        #expect(
            after - before < growth / 20,
            "\(after - before) of \(growth) bytes are left")
        loop.shutdown()
    }
    #endif
}
