// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
import SwivelDispatch
@testable import SwivelDispatchBackend
import SwivelTestSupport
import Testing

/// The guarantees, on Dispatch alone.
@Suite(.offPool) struct DispatchBackendTests {
    private let queue = DispatchQueue(label: "test.backend")
    private let probe = Probe()
    private var context: DispatchBackend { DispatchBackend(queue) }
    private let hour = Duration.seconds(3600)

    private var now: LoopClock.Instant {
        LoopClock.Instant(nanoseconds: DispatchTime.now().uptimeNanoseconds)
    }

    @Test func t1NoTimerIsEarly() {
        for leeway in [Duration.zero, .microseconds(100), .milliseconds(5)] {
            for step in 0..<20 {
                let deadline = now + .microseconds(step * 150)
                context.schedule(
                    at: deadline, leeway: leeway, probe.work { #expect(now >= deadline) })
            }
        }
        probe.waitForReleases(60)
        #expect(probe.ran == 60)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func t6AnIntervalThatIsNotAboveZeroTraps(_ interval: Duration) async {
        // An exit test takes no values from here.
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            DispatchBackend(.main).schedule(every: .zero) {}
        }
        #expect(printed("an interval must be above zero", result))
        let other = await #expect(processExitsWith: .failure, observing: standardError) {
            DispatchBackend(.main).schedule(everyAfterCompletion: .seconds(-1)) {}
        }
        #expect(printed("a delay between ticks must be above zero", other))
    }

    @Test func c1CancelReleasesTheClosureAtOnceAndTheSecondFindsItOver() {
        let timer = context.schedule(after: hour, probe.work())
        #expect(timer.isPending)
        #expect(timer.cancel() == .cancelled)
        #expect(probe.released == 1)
        #expect(!timer.isPending)
        #expect(timer.cancel() == .finished)
        #expect(!timer.rearm(after: .zero))
    }

    @Test func c1InsideTheClosureItIsRunningAndTheTimerIsNotPending() {
        let handle = Shared<TimerHandle?>(nil)
        queue.sync {
            handle.value = context.schedule(
                after: .microseconds(1),
                probe.work {
                    #expect(handle.value?.isPending == false)
                    #expect(handle.value?.rearm(after: .zero) == false)
                    #expect(handle.value?.cancel() == .running)
                })
        }
        probe.waitForReleases()
        queue.sync {}
        #expect(handle.value?.cancel() == .finished)
    }

    @Test func c2EveryRaceOfFireRearmAndCancelHasOneWinner() {
        checkCancelRaces(on: queue, probe, rounds: 4_000, checks: 10) { round in
            let timer = context.schedule(after: .microseconds(round % 60), probe.work())
            if round.isMultiple(of: 3) { timer.rearm(after: .microseconds(round % 20)) }
            return timer
        }
    }

    @Test func aRearmedTimerFiresAtItsNewDeadlineAndNotBefore() {
        let sooner = context.schedule(after: hour, probe.work())
        #expect(sooner.rearm(after: .milliseconds(1)))
        probe.waitForReleases()
        // Neither closure can start in between.
        let (later, post) = queue.sync {
            let later = context.schedule(after: .microseconds(200), probe.work())
            #expect(later.rearm(after: hour))
            let post = context.schedule(after: .zero, probe.work())
            #expect(post.rearm(after: hour))
            return (later, post)
        }
        let gate = Gate()
        context.schedule(after: .milliseconds(3)) { gate.open() }
        gate.wait()
        #expect(probe.ran == 1)
        #expect(later.rearm(after: .zero))
        #expect(post.rearm(after: .zero))
        probe.waitForReleases(3)
        #expect(!later.rearm(after: .zero))
        #expect(probe.ran == 3)
    }

    @Test func cancelAndWaitReturnsWhenTheClosureHasBeenReleased() async {
        let context = context
        await checkCancelAndWait { context.schedule(after: .zero, $0) }
        await checkCancelAndWait { context.schedule(after: .microseconds(1), $0) }
        await checkCancelAndWait { context.schedule(every: .microseconds(100), $0) }
    }

    @Test func theEndComesAfterTheClosuresRelease() {
        checkEndComesAfterTheRelease { context.schedule(after: .zero, $0) }
        checkEndComesAfterTheRelease { context.schedule(after: .microseconds(1), $0) }
        checkEndComesAfterTheRelease { context.schedule(every: .microseconds(100), $0) }
        checkEndComesAfterTheRelease {
            context.schedule(everyAfterCompletion: .microseconds(1), $0)
        }
        checkEndComesAfterTheRelease {
            context.schedule(every: .milliseconds(1), startingAt: .distantPast, $0)
        }
    }

    /// F4: a run whose limit has come is not put off, on this context nor on a queue.
    @Test func aRunOnAQueueThatIsHeldUpIsNotPutOff() {
        let last = Shared<[String: Int]>([:])
        queue.suspend()
        func call(_ round: Int) {
            func call(_ context: some ExecutionContext, _ name: String) {
                context.once(
                    "held up: \(name)", after: hour, maxWait: .milliseconds(1),
                    probe.work { last.update { $0[name] = round } })
            }
            call(context, "backend")
            call(queue, "queue")
        }
        call(0)
        // On the way to a queue of their own, later than those that are due before.
        let gate = Gate()
        DispatchBackend(.global()).schedule(after: .milliseconds(10)) { gate.open() }
        Loop.shared.schedule(after: .milliseconds(10)) { gate.open() }
        gate.wait(times: 2)
        (1...20).forEach(call)
        queue.resume()
        probe.waitForReleases(42)
        #expect(probe.ran == 2 && last.value == ["backend": 20, "queue": 20])
    }

    @Test func itIsCurrentWhereItsQueueIs() {
        #expect(!context.isCurrent)
        #expect(queue.sync { context.isCurrent })
        let wide = DispatchBackend(.global())
        #expect(!wide.queue.sync { wide.isCurrent })
    }

    @Test func noTimerIsLeftBehind() {
        let before = DispatchBackend.table.count
        let timers = (0..<100).map { number in
            context.schedule(after: number < 50 ? hour : .microseconds(number), probe.work())
        }
        timers.prefix(50).forEach { $0.cancel() }
        probe.waitForReleases(100)
        queue.sync {}
        #expect(DispatchBackend.table.count == before)
    }

    #if os(Linux)
    @Test func noLoopTakesPart() async {
        await #expect(processExitsWith: .success) {
            let context = DispatchBackend(DispatchQueue(label: "alone"))
            let gate = Gate()
            context.schedule(after: .milliseconds(1)) { gate.open() }
            context.schedule(every: .milliseconds(1)) { gate.open() }
            context.schedule(everyAfterCompletion: .milliseconds(1)) { gate.open() }
            context.once("alone", after: .milliseconds(1)) { gate.open() }
            require(gate.isOpened(times: 20, seconds: 60), "the timers did not fire")
            let tasks = "/proc/self/task"
            for thread in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
                let name = try? String(contentsOfFile: "\(tasks)/\(thread)/comm", encoding: .utf8)
                require(name?.hasPrefix("swivel.") != true, "there is a thread \(name ?? "")")
            }
        }
    }
    #endif
}
