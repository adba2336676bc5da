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
    #endif
}
