// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

/// Waits for work that the place which waits has to do itself.
@Suite(.offPool) struct DeadlockTests {
    private static func waitOnItself() {
        let queue = DispatchQueue(label: "the only queue")
        let value = queue.sync {
            <<~queue ~~~ { (handler: @escaping @Sendable (Int) -> Void) in handler(1) }
        }
        print(value)
    }

    @Test func anOperationForTheSerialQueueThatWaitsTrapsWithTheQueuesName() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest { DeadlockTests.waitOnItself() }
        }
        #expect(printed("~~~ (its line is in the backtrace) waits forever", result))
        #expect(printed("the serial queue 'the only queue'", result))
    }

    @Test func aQueueThatWaitsForAnotherOneIsNoDeadlock() {
        let (outer, inner) = (DispatchQueue(label: "outer"), DispatchQueue(label: "inner"))
        let isInner = outer.sync {
            <<~inner ~~~ { (handler: @escaping @Sendable (Bool) -> Void) in
                handler(inner.isCurrent)
            }
        }
        #expect(isInner)
        let place: @Sendable () -> Bool = { inner.isCurrent }
        #expect(outer.sync { place~>>.on(inner).sync() })
    }

    @Test func aMainQueueBlockMayWaitForMain() {
        let gate = Gate()
        DispatchQueue.main.async {
            let isMain = <<+{ (handler: @escaping @Sendable (Bool) -> Void) in
                MainActor.assertIsolated()
                handler(DispatchQueue.main.isCurrent)
            }
            let named =
                <<~.main ~~~ { (handler: @escaping @Sendable (Bool) -> Void) in
                    handler(DispatchQueue.main.isCurrent)
                }
            if isMain && named { gate.open() }
        }
        gate.wait()
    }

    @Test func aLoopsClosureMayWaitForItsOwnLoop() throws {
        let loop = try Loop()
        let isHere: @Sendable () -> Bool = { loop.isCurrent }
        let all = loop.submit {
            let named =
                <<~loop ~~~ { (handler: @escaping @Sendable (Bool) -> Void) in
                    handler(loop.isCurrent)
                }
            return named && isHere~>>.on(loop).sync() && (isHere ~>> loop ~>> ()).await()
        }
        #expect(all.await())
        loop.shutdown()
    }
}
