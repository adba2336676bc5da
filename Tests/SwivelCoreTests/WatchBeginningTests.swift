// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Watches that begin at a bad moment, or that are refused.
@Suite(.offPool) struct WatchBeginningTests {
    /// The end of the first watch is still on its way to the core when the second one begins, behind
    /// more posts than a turn takes.
    @Test(arguments: [0, 5_000])
    func aDescriptorIsWatchedAgainAfterACancelElsewhere(posts: Int) throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        let first = loop.watch(pipe.read) { _ in }
        loop.onThread {}
        loop.onThread {
            let elsewhere = TestThread {
                for _ in 0..<posts { loop.execute {} }
                #expect(first.cancel() == .cancelled)
            }
            elsewhere.join()
            loop.watch(pipe.read) { ear.hear($0) }
        }
        pipe.put("a")
        ear.gate.wait()
        #expect(ear.last.value?.ready == .readable)
    }

    /// The loop is shut down before it reports the error.
    @Test func aSequenceThatCannotBeginEndsWithItsLoop() async throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        loop.watch(pipe.read) { _ in }
        // `nonisolated(unsafe)` because the closure has run before the task goes on.
        nonisolated(unsafe) var iterator: WatchEvents.Iterator?
        loop.onThread {
            iterator = loop.events(of: pipe.read).makeAsyncIterator()
            loop.shutdown()
        }
        let event = await iterator?.next()
        #expect(event == nil)
    }

    /// The system reports the end whatever a watch waits for.
    @Test func aWatchForUrgentDataHearsOfTheEnd() throws {
        let (loop, sockets, ear) = (try Loop(), try SocketPair(), Ear())
        defer { loop.shutdown() }
        loop.watch(sockets.one, for: .priority) { ear.hear($0) }
        loop.onThread {}
        sockets.closeOther()
        ear.gate.wait()
        #expect(ear.last.value?.isReadable == true)
    }
}
