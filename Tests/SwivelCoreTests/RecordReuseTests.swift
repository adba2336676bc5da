// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// A loop's end leaves nothing for the next loop. Handles that outlive their loop are
/// harmless.
@Suite(.offPool) struct RecordReuseTests {
    private let probe = Probe()

    /// A thread that armed timers on a loop may end before the loop closes, between its end and the
    /// next loop's beginning, or later.
    @Test func aThreadThatEndsLaterGivesNothingToTheNextLoop() throws {
        for round in 0..<12 {
            let scheduled = Gate()
            let mayEnd = Gate()
            var loop: Loop? = try manualLoop()
            let thread = TestThread { [probe, loop] in
                loop?.schedule(after: .milliseconds(1), probe.work())
                scheduled.open()
                mayEnd.wait()
            }
            scheduled.wait()
            if round % 3 == 0 {
                mayEnd.open()
                thread.join()
            }
            loop?.shutdown()
            loop = nil
            if round % 3 == 1 {
                mayEnd.open()
                thread.join()
            }
            let next = try manualLoop()
            let ran = probe.ran
            TestThread { [probe] in
                for _ in 0..<200 {
                    next.schedule(after: .milliseconds(1), probe.work())
                }
            }.join()
            for _ in 0..<200 {
                next.inside { [probe] in _ = next.schedule(after: .milliseconds(1), probe.work()) }
            }
            if round % 3 == 2 {
                mayEnd.open()
                thread.join()
            }
            next.advance(by: .milliseconds(1))
            #expect(probe.ran - ran == 400)
            #expect(probe.live == 0)
        }
    }

    /// C2: a handle whose loop is gone is stale, also when another loop has its place.
    @Test func aHandleOutlivesItsLoop() throws {
        var handles: [TimerHandle] = []
        for _ in 0..<200 {
            let loop = try manualLoop()
            for handle in handles {
                #expect(handle.cancel() == .finished)
                #expect(!handle.isPending)
                #expect(!handle.rearm(after: .zero))
            }
            let mine = loop.schedule(after: .milliseconds(5), probe.work())
            #expect(!handles.contains(mine))
            handles.append(mine)
            handles.append(loop.schedule(every: .milliseconds(5), probe.work()))
            handles.append(loop.inside { [probe] in loop.schedule(after: .hours(1), probe.work()) })
            handles = handles.suffix(30)
            #expect(mine.isPending)
        }
        #expect(probe.ran == 0)
        #expect(probe.live == 0, "a loop without a thread shuts down when it is released")
    }

    /// Loops come and go; descriptors, threads and closures do not stay.
    @Test func aThousandLoopsLeaveNothing() throws {
        for _ in 0..<10 {
            try threadedLoop().shutdown()
        }
        #if os(Linux)
        let descriptors = Machine.descriptors().count
        let threads = Machine.threads()
        #endif
        for number in 0..<1_000 {
            let loop = number % 2 == 0 ? try threadedLoop() : try Loop.embedded()
            loop.schedule(after: .hours(1), probe.work())
            loop.schedule(every: .milliseconds(1), probe.work())
            loop.execute(probe.work())
            loop.shutdown()
        }
        #expect(probe.live == 0)
        #if os(Linux)
        #expect(Machine.descriptors().count <= descriptors)
        #expect(Machine.threads() <= threads)
        #endif
    }
}

extension Duration {
    static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
}
