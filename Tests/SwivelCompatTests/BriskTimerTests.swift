// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

@Suite(.offPool) struct BriskTimerTests {
    private let queue = DispatchQueue(label: "brisk")

    /// Opens the gate if it is called on the queue.
    private func open(_ gate: Gate) -> @Sendable () -> Void {
        { [queue] in if queue.isCurrent { gate.open() } }
    }

    @available(*, deprecated)
    @Test func asyncAfterRunsOnceOnItsQueueAndNotEarly() {
        let gate = Gate()
        let began = ContinuousClock.now
        queue.async(after: 0.01, execute: open(gate))
        gate.wait()
        #expect(ContinuousClock.now - began >= .milliseconds(10))
        queue.async(after: 0.001) { gate.open() }
        queue.async(after: 0.001, leeway: 0.5) { gate.open() }
        queue.async(after: 0, leeway: 0) { gate.open() }
        queue.async(after: .milliseconds(1)) { gate.open() }
        gate.wait(times: 5)
    }

    @available(*, deprecated)
    @Test func asyncAfterReturnsATimerThatCancels() {
        let ran = Shared(false)
        let timer = queue.async(after: 3_600) { ran.value = true }
        #expect(timer.isPending)
        #expect(timer.cancel() == .cancelled)
        let never = queue.async(after: .infinity) { ran.value = true }
        #expect(never.cancel() == .cancelled)
        #expect(!ran.value)
    }

    /// (Under ThreadSanitizer a `DispatchWorkItem` loses its flags, without Swivel too.)
    @available(*, deprecated)
    @Test(.enabled(if: !Machine.isThreadSanitized)) func classAndFlagsReachTheQueue() {
        let concurrent = DispatchQueue(label: "brisk.wide", attributes: .concurrent)
        let (occupied, release, submitted, ran) = (Gate(), Gate(), Gate(), Gate())
        concurrent.async {
            occupied.open()
            release.wait()
        }
        occupied.wait()
        concurrent.async(after: 0.001, qos: .utility, flags: .barrier) { ran.open() }
        concurrent.async(at: NSDate(), flags: .barrier) { ran.open() }
        queue.async(after: 0.002) { submitted.open() }
        submitted.wait()
        // Without the barrier the block would run at once: the queue has threads enough.
        for turn in 1...200 {
            DispatchQueue.global().async { submitted.open() }
            submitted.wait(times: 1 + turn)
        }
        let early = ran.opened
        release.open()
        ran.wait(times: 2)
        #expect(early == 0)
    }

    @available(*, deprecated)
    @Test func aWorkItemIsPerformedUnlessItWasCancelled() {
        let gate = Gate()
        let (kept, cancelled) = (
            DispatchWorkItem { gate.open() }, DispatchWorkItem { gate.open(100) }
        )
        cancelled.cancel()
        queue.async(after: 0.001, execute: cancelled)
        queue.async(after: 0.002, leeway: 0, execute: kept)
        gate.wait()
        #expect(gate.opened == 1)
    }

    @available(*, deprecated)
    @Test func asyncAtRunsWhenItsDateIsReached() {
        let gate = Gate()
        queue.async(at: NSDate(timeIntervalSinceNow: -5), execute: open(gate))
        queue.async(at: NSDate(timeIntervalSinceNow: 0.01), leeway: 0) { gate.open() }
        queue.async(at: NSDate(), execute: DispatchWorkItem { gate.open() })
        gate.wait(times: 3)
        let timer = queue.async(at: NSDate.distantFuture as NSDate) { gate.open() }
        #expect(timer.cancel() == .cancelled)
    }

    @available(*, deprecated)
    @Test func asyncEveryTicksUntilItIsCancelled() {
        let gate = Gate()
        let timer = queue.async(every: 0.001, execute: open(gate))
        gate.wait(times: 3)
        timer.cancel()
        queue.sync {}
        let count = gate.opened
        #expect(!timer.isPending)
        queue.sync {}
        #expect(gate.opened == count)
    }

    @available(*, deprecated)
    @Test func theBlockOfAsyncEveryMayCancelItsTimer() {
        let gate = Gate()
        queue.async(every: 0.001) { timer in
            gate.open()
            if gate.opened == 3 { timer.cancel() }
        }
        gate.wait(times: 3)
        let once = queue.async(every: 0.001, startingIn: 0) { $0.cancel() }
        while once.isPending { queue.sync {} }
        #expect(gate.opened == 3)
    }

    @available(*, deprecated)
    @Test func asyncEveryStartsWhenItIsTold() {
        let gate = Gate()
        let now = queue.async(every: 3_600, startingIn: 0) { gate.open() }
        gate.wait()
        let past = queue.async(every: 3_600, startingAt: NSDate(timeIntervalSinceNow: -9)) {
            gate.open()
        }
        gate.wait(times: 2)
        let item = queue.async(
            every: 3_600, startingIn: 0.001, execute: DispatchWorkItem { gate.open() })
        gate.wait(times: 3)
        let later = queue.async(every: 3_600) { gate.open() }
        queue.sync {}  // The closure that opened the gate has returned.
        for timer in [now, past, item, later] { #expect(timer.cancel() == .cancelled) }
        #expect(gate.opened == 3)
    }

    @available(*, deprecated)
    private static func twoStarts() {
        DispatchQueue.main.async(every: 1, startingIn: 1, startingAt: NSDate()) {}
    }

    @available(*, deprecated)
    private static func notANumber() {
        DispatchQueue.main.async(after: .nan) {}
    }

    @available(*, deprecated)
    @Test func twoStartsTrap() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest { BriskTimerTests.twoStarts() }
        }
        #expect(printed("'startingIn' and 'startingAt' are both given", result))
    }

    @available(*, deprecated)
    @Test func secondsThatAreNotANumberTrap() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest { BriskTimerTests.notANumber() }
        }
        #expect(printed("a time in seconds must not be NaN", result))
    }

    @Test func numbersAreSeconds() {
        #expect(2.asDispatchTimeInterval() == .seconds(2))
        #expect(0.5.asDispatchTimeInterval() == .nanoseconds(500_000_000))
        #expect(Float(0.25).asDispatchTimeInterval() == .nanoseconds(250_000_000))
    }
}
