// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Closures whose captures call the API when they are destroyed, on every path that releases a
/// closure: C5. A lock held around a release would hang here.
@Suite(.offPool) struct ReentryTests {
    private let probe = Probe()

    /// The action of a capture in its deinit.
    enum Deed: CaseIterable, Sendable {
        case cancel, schedule, scheduleZero, post, once, shutdown, stop, metrics, rearm, timer
    }

    /// How the closure that holds the capture is released.
    enum Path: CaseIterable, Sendable {
        case run, fire, cancelHere, cancelElsewhere, cancelQueued, refusedPost, refusedTimer
        case shutdownPost, shutdownTimer, shutdownRepeat, cancelRunningRepeat, onceReplaced
        case timerFreed
    }

    private func perform(_ deed: Deed, on loop: Loop, _ victim: TimerHandle) {
        switch deed {
        case .cancel: victim.cancel()
        case .schedule: loop.schedule(after: .hours(1), probe.work())
        case .scheduleZero: loop.schedule(after: .zero, probe.work())
        case .post: loop.execute(probe.work())
        case .once: loop.once("reentry", after: .hours(1), probe.work())
        case .shutdown: loop.shutdown()
        case .stop: loop.stop()
        case .metrics: _ = loop.metrics
        case .rearm: victim.rearm(after: .hours(2))
        case .timer: LoopTimer(on: loop, probe.work()).arm(after: .hours(1))
        }
    }

    /// C5.
    @Test(arguments: Deed.allCases, Path.allCases)
    func aCaptureCallsTheLoopWhenItIsDestroyed(deed: Deed, path: Path) throws {
        let loop = try manualLoop()
        let victim = loop.schedule(after: .hours(3), probe.work())
        let released = Gate()
        let capture = { @Sendable [self] in
            probe.reentrant {
                perform(deed, on: loop, victim)
                released.open()
            }
        }
        release(capture, by: path, loop)
        loop.runDue()
        #expect(released.opened == 1)
        loop.shutdown()
        #expect(probe.live == 0)
    }

    private func release(
        _ capture: @escaping @Sendable () -> @Sendable () -> Void, by path: Path, _ loop: Loop
    ) {
        switch path {
        case .run:
            loop.execute(capture())
        case .fire:
            loop.schedule(after: .milliseconds(1), capture())
            loop.advance(by: .milliseconds(1))
        case .cancelHere:
            loop.inside { _ = loop.schedule(after: .milliseconds(1), capture()).cancel() }
        case .cancelElsewhere:
            let handle = loop.schedule(after: .milliseconds(1), capture())
            loop.runDue()
            handle.cancel()
        case .cancelQueued:
            loop.schedule(after: .milliseconds(1), capture()).cancel()
        case .refusedPost:
            loop.shutdown()
            loop.execute(capture())
        case .refusedTimer:
            loop.shutdown()
            loop.schedule(after: .milliseconds(1), capture())
        case .shutdownPost:
            loop.execute(capture())
            loop.shutdown()
        case .shutdownTimer:
            loop.schedule(after: .milliseconds(1), capture())
            loop.shutdown()
        case .shutdownRepeat:
            loop.schedule(every: .milliseconds(1), capture())
            loop.runDue()
            loop.shutdown()
        case .cancelRunningRepeat:
            let work = capture()
            loop.schedule(every: .milliseconds(1)) { (tick: Tick) in
                work()
                tick.cancel()
            }
            loop.advance(by: .milliseconds(1))
        case .onceReplaced:
            loop.once("replaced", after: .milliseconds(1), capture())
            loop.once("replaced", after: .milliseconds(1)) {}.cancel()
        case .timerFreed:
            let timer = LoopTimer(on: loop, capture())
            timer.arm(after: .milliseconds(1))
        }
    }

    /// C5: a closure may do anything to its own loop, in one go.
    @Test func aClosureDoesEverythingToItsLoop() throws {
        let loop = try threadedLoop()
        let done = Gate()
        let probe = probe
        loop.execute(
            probe.work {
                let handle = loop.schedule(after: .hours(1), probe.work())
                handle.rearm(after: .hours(2))
                handle.cancel()
                loop.execute(probe.work())
                loop.once("everything", after: .hours(1), probe.work())
                let timer = LoopTimer(on: loop, probe.work())
                timer.arm(after: .zero)
                _ = loop.metrics
                #expect(!loop.shutdown().isComplete)
                #expect(!loop.tryExecute(probe.work()))
                done.open()
            })
        done.wait()
        #expect(loop.shutdown().isComplete)
        #expect(probe.live == 0)
    }

    /// C5: an id of `once` is user code too: it may call the API when it is destroyed or compared.
    @Test func anIdMayCallOnceWhenItIsDestroyed() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try Loop.manual()
                for _ in 0..<3 {
                    loop.once(ReentrantID(loop: loop, number: 1), after: .milliseconds(5)) {}
                    loop.advance(by: .milliseconds(1))
                }
                loop.once(ReentrantID(loop: loop, number: 1), after: .milliseconds(5)) {}.cancel()
                loop.once(ReentrantID(loop: loop, number: 1), after: .milliseconds(5)) {}
                loop.advance(by: .milliseconds(50))
                loop.shutdown()
            }
        }
    }
}

/// An id that calls `once` when it is destroyed.
private final class ReentrantID: Hashable, Sendable {
    private let loop: Loop
    private let number: Int

    init(loop: Loop, number: Int) {
        self.loop = loop
        self.number = number
    }

    deinit {
        loop.once("from deinit", after: .milliseconds(1)) {}
    }

    static func == (lhs: ReentrantID, rhs: ReentrantID) -> Bool { lhs.number == rhs.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
