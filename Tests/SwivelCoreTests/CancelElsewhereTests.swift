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
