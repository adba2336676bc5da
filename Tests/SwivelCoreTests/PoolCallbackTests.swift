// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Futures' callbacks in a pool's queue, where they have no object.
@Suite(.offPool) struct PoolCallbackTests {
    /// How a callback ended.
    private final class Ending: @unchecked Sendable {
        // because the gate orders its thread's store before the test's load.
        let gate = Gate()
        private(set) var runs: [Bool] = []

        /// A callback that notes here whether it runs, and keeps this until then.
        func callback() -> CallbackWords {
            CallbackWords(
                { argument, runs in
                    let ending = Unmanaged<Ending>.fromOpaque(argument).takeRetainedValue()
                    ending.runs.append(runs)
                    ending.gate.open()
                }, Unmanaged.passRetained(self).toOpaque(), goesOn: true)
        }
    }

    @Test func aCallbackRunsInOrderWithClosures() {
        let pool = WorkerPool(name: "test.pool", threads: 1)
        let order = Shared<[Int]>([])
        let ending = Ending()
        pool.execute { order.value.append(1) }
        pool.accept(ending.callback())
        pool.execute {
            order.value.append(ending.runs.count)
            ending.gate.open()
        }
        ending.gate.wait(times: 2)
        #expect(order.value == [1, 1])
        #expect(ending.runs == [true])
    }

    /// A pool whose threads the system has refused may end with work.
    @Test func aPoolThatEndsReleasesItsCallbacks() {
        let ending = Ending()
        do {
            let pool = WorkerPool(name: "test.pool", threads: 1)
            for _ in 0..<3 {
                // Without the action to start a thread, which nothing performs here.
                _ = swivel__pool_push(pool.record, ending.callback().words)
            }
        }
        #expect(ending.runs == [false, false, false])
    }

    #if os(Linux)
    /// S3: a pool of before the fork is dead in the child.
    @Test func aPoolOfBeforeTheForkReleasesACallback() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let pool = WorkerPool(name: "test.pool", threads: 1)
                let ending = Ending()
                let code = exitCode {
                    pool.accept(ending.callback())
                    require(ending.runs == [false], "the callback is released at once")
                }
                require(code == 0, "the child ended with \(code)")
            }
        }
    }
    #endif
}
