// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

@Suite(.offPool) struct BriskOnceTests {
    private let queue = DispatchQueue(label: "brisk.once")

    @available(*, deprecated)
    @Test func aNewerCallReplacesThePendingOne() {
        let ran = Gate()
        let first = queue.once(operationId: "BriskOnceTests.newer", after: 3_600) { ran.open(10) }
        let second = DispatchQueue.main.once(operationId: "BriskOnceTests.newer", after: 0.001) {
            if DispatchQueue.main.isCurrent { ran.open() }
        }
        #expect(!first.isPending)
        ran.wait()
        #expect(ran.opened == 1)
        #expect(second.cancel() != .cancelled)
    }

    @available(*, deprecated)
    @Test func idsAreThoseOfOnce() {
        let old = queue.once(operationId: "BriskOnceTests.shared", after: 3_600) {}
        let new = queue.once("BriskOnceTests.shared", after: .seconds(3_600)) {}
        #expect(!old.isPending)
        #expect(new.cancel() == .cancelled)
    }

    @available(*, deprecated)
    @Test func withoutATimeItRunsAsSoonAsPossibleAndWithADateThen() {
        let gate = Gate()
        queue.once(operationId: "BriskOnceTests.now") { gate.open() }
        gate.wait()
        queue.once(operationId: "BriskOnceTests.now", at: NSDate(), leeway: 0) { gate.open() }
        gate.wait(times: 2)
    }

    @available(*, deprecated)
    private static func twoTimes() {
        DispatchQueue.main.once(operationId: "a", after: 1, at: NSDate()) {}
    }

    @available(*, deprecated)
    @Test func twoTimesTrap() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest { BriskOnceTests.twoTimes() }
        }
        #expect(printed("'after' and 'at' are both given", result))
    }
}
