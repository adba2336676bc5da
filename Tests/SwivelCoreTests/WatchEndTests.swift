// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// How a watch ends: by a cancel, an error, or with its loop.
@Suite(.offPool) struct WatchEndTests {
    private let probe = Probe()

    @Test func aDescriptorThatIsClosedEndsTheWatchWithAnError() throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        let watch = loop.watch(pipe.read, probe.work { ear.hear($0) })
        loop.onThread {}
        pipe.closeReading()
        ear.wait(turning: loop)
        #expect(ear.last.value?.error?.code == .descriptorClosed)
        probe.waitForReleases()
        #expect(!watch.isActive)
        #expect(watch.cancel() == .finished)
    }

    @Test func whatCannotBeWatchedIsAnError() throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        defer { loop.shutdown() }
        let (never, closed, file, twice) = (Ear(), Ear(), Ear(), Ear())
        loop.watch(-1) { never.hear($0) }
        loop.watch(9999) { closed.hear($0) }
        let ordinary = open(#filePath, O_RDONLY)
        defer { close(ordinary) }
        loop.watch(ordinary) { file.hear($0) }
        loop.watch(pipe.read) { _ in }
        loop.watch(pipe.read) { twice.hear($0) }
        for (ear, code) in [
            (never, SwivelError.Code.descriptorClosed), (closed, .descriptorClosed),
            (file, .notPollable), (twice, .alreadyWatched),
        ] {
            ear.gate.wait()
            #expect(ear.last.value?.error?.code == code)
        }
    }

    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .seconds(1))])
    func aShutdownReleasesAndCountsWatches(mode: ShutdownMode) throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        let watch = loop.watch(pipe.read, probe.work { _ in })
        loop.onThread {}
        let report = loop.shutdown(mode)
        #expect(report.cancelledWatches == 1)
        #expect(report.cancelled == 1)
        #expect(probe.released == 1)
        #expect(!watch.isActive)
        loop.watch(pipe.read, probe.work { _ in })
        #expect(probe.released == 2)
    }

    /// Posts that a drain runs may still begin to watch.
    @Test func whatADrainTakesUpEndsWithIt() throws {
        let (loop, pipe) = (try Loop.embedded(), try TestPipe())
        pipe.put("a")
        loop.watch(pipe.read, probe.work { _ in })
        loop.signals([.user1, .user2], probe.work { _ in })
        let report = loop.shutdown(.drain(within: .seconds(1)))
        #expect(report.isComplete && report.cancelledWatches == 3)
        #expect(probe.released == 2)
    }
}
