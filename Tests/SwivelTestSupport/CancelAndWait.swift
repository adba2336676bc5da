// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import SwivelCore
import Testing

/// Cancels timers whose closure is under way, and checks that the wait ends after their release.
///
/// Whether a cancel comes before the closure's end is chance, so it is tried until it does.
package func checkCancelAndWait(
    _ arm: (@escaping @Sendable () -> Void) -> TimerHandle
) async {
    for _ in 0..<1_000 {
        let probe = Probe()
        let (started, goOn) = (Gate(), Gate())
        let timer = arm(
            probe.work {
                started.open()
                goOn.wait()
            })
        started.wait()
        async let answer = timer.cancelAndWait()
        DispatchQueue.global().async { goOn.open() }
        let result = await answer
        #expect(result != .cancelled || probe.released == 1)
        #expect(await timer.cancelAndWait() != .running)
        #expect(!timer.isPending)
        if result == .running {
            #expect(probe.released == 1)
            return
        }
        probe.waitForReleases()
    }
    Issue.record("no cancel came while the closure was under way")
}

/// Asks for the end of a cancelled timer while its closure is being released.
package func checkEndComesAfterTheRelease(_ arm: (@escaping @Sendable () -> Void) -> TimerHandle) {
    let probe = Probe()
    let (started, goOn) = (Gate(), Gate())
    let (releasing, mayRelease, ended) = (Gate(), Gate(), Gate())
    func make() -> @Sendable () -> Void {
        let capture = probe.reentrant {
            releasing.open()
            mayRelease.wait()
        }
        return {
            started.open()
            goOn.wait()
            withExtendedLifetime(capture) {}
        }
    }
    let timer = arm(make())
    started.wait()
    #expect(timer.cancel() == .running)
    goOn.open()
    releasing.wait()
    EndWatch.shared.wait(for: timer) { ended.open() }
    #expect(ended.opened == 0)
    mayRelease.open()
    ended.wait()
    #expect(probe.released == 1)
}
