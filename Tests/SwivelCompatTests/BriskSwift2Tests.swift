// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

@Suite(.offPool) struct BriskSwift2Tests {
    private let queue = DispatchQueue(label: "brisk.2")

    @available(*, deprecated)
    @Test func asyncFunctionsRunWhereTheirNamesSay() {
        let gate = Gate()
        dispatch_main_async { if DispatchQueue.main.isCurrent { gate.open() } }
        dispatch_bg_async { if !DispatchQueue.main.isCurrent { gate.open() } }
        gate.wait(times: 2)
    }

    @available(*, deprecated)
    @Test func aNamedQueueIsSerialAndTheSameForEachUse() {
        let seen = Shared<[Int]>([])
        let gate = Gate()
        for number in 0..<100 {
            dispatch_async("BriskSwift2Tests.name") {
                seen.update { $0.append(number) }
                gate.open()
            }
        }
        gate.wait(times: 100)
        #expect(seen.value == Array(0..<100))
    }

    @available(*, deprecated)
    @Test func mainSyncWaitsAndRunsInlineOnMain() {
        let isMain = Shared(false)
        dispatch_main_sync { isMain.value = DispatchQueue.main.isCurrent }
        #expect(isMain.value)
        let gate = Gate()
        DispatchQueue.main.async {
            dispatch_main_sync { gate.open() }
        }
        gate.wait()
    }

    @available(*, deprecated)
    @Test func afterFunctionsRunOnce() {
        let gate = Gate()
        dispatch_after(0.001, queue) { gate.open() }
        dispatch_after_exactly(0.001, queue) { gate.open() }
        dispatch_main_after(0.001) { gate.open() }
        dispatch_main_after_exactly(0.001) { gate.open() }
        gate.wait(times: 4)
        #expect(dispatch_after(3_600, queue) {}.cancel() == .cancelled)
    }

    @available(*, deprecated)
    @Test func everyFunctionsTickUntilTheirTimerIsCancelled() {
        let gate = Gate()
        dispatch_every(0.001, queue) {
            gate.open()
            $0.cancel()
        }
        dispatch_every_exact(0.001, queue) { timer in
            gate.open()
            timer.cancel()
        }
        dispatch_main_every(0.001) { timer in
            gate.open()
            timer.cancel()
        }
        dispatch_main_every_exact(0.001) { timer in
            gate.open()
            timer.cancel()
        }
        gate.wait(times: 4)
        let ticks = Gate()
        let timer = dispatch_every(0.001, queue) { _ in ticks.open() }
        ticks.wait(times: 2)
        timer.cancel()
    }

    @available(*, deprecated)
    @Test func onceFunctionsKeepTheLastBlock() {
        let seen = Shared<[Int]>([])
        let gate = Gate()
        for number in 0..<3 {
            let delay = number < 2 ? 3_600 : 0.001
            dispatch_once_after(delay, operationId: "BriskSwift2Tests.a", onQueue: queue) {
                seen.update { $0.append(number) }
                gate.open()
            }
        }
        gate.wait()
        for number in 10..<13 {
            let delay = number < 12 ? 3_600 : 0.001
            dispatch_main_once_after(delay, operationId: "BriskSwift2Tests.b") {
                seen.update { $0.append(number) }
                gate.open()
            }
        }
        gate.wait(times: 2)
        dispatch_once_after(0.001, queue, "BriskSwift2Tests.c") { gate.open() }
        dispatch_main_once_after(0.001, "BriskSwift2Tests.d") { gate.open() }
        gate.wait(times: 4)
        #expect(seen.value == [2, 12])
    }

    @available(*, deprecated)
    @Test func eachRunsOnItsQueueAndWaits() {
        let seen = Shared<[Int]>([])
        dispatch_each([1, 2, 3], queue: queue) { [queue] number in
            if queue.isCurrent { seen.update { $0.append(number) } }
        }
        #expect(seen.value == [1, 2, 3])
        let meeting = Gate()
        let wide = DispatchQueue(label: "brisk.wide", attributes: .concurrent)
        dispatch_each([1, 2], wide) { _ in
            meeting.open()
            meeting.wait(times: 2)
        }
        #expect(meeting.opened == 2)
    }
}
