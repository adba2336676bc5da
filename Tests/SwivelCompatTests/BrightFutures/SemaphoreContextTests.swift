// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelCompat
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

@Suite(.offPool) struct SemaphoreContextTests {
    private let probe = Probe()

    @Test func oneContextKeepsTheOrderAndNeverRunsInsideTheCall() {
        let semaphore = DispatchSemaphore(value: 1)
        let context = SemaphoreContext(semaphore)
        let order = Shared<[Int]>([])
        let done = Gate()
        semaphore.wait()
        for number in 0..<100 {
            context.execute(
                probe.work {
                    order.update { $0.append(number) }
                    done.open()
                })
        }
        #expect(probe.ran == 0 && order.value.isEmpty)
        semaphore.signal()
        done.wait(times: 100)
        #expect(order.value == Array(0..<100))
    }
    @Test func aWaitInsideForWorkOfTheContextTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let context = SemaphoreContext(DispatchSemaphore(value: 1))
                let done = Gate()
                context.execute {
                    print(Future<Int, Never>(value: 3).map(on: context) { $0 }.await())
                    done.open()
                }
                done.wait()
            }
        }
        #expect(printed("await() waits forever", result))
        #expect(printed("SemaphoreContext", result))
        #expect(printed("SwivelCompatTests/SemaphoreContextTests.swift:", result))
    }

    @Test func otherContextsWaitForItAndItForThem() throws {
        let context = SemaphoreContext(DispatchSemaphore(value: 1))
        let loop = try Loop()
        let others: [any ExecutionContext] = [
            loop, DispatchQueue(label: "test.waiting"), DispatchQueue.main, WorkerPool.shared,
        ]
        for other in others {
            for (waiting, working) in [(other, context as any ExecutionContext), (context, other)] {
                let done = Gate()
                waiting.execute {
                    let latch = Latch()
                    working.execute { latch.signal() }
                    Waiting.wait(
                        for: latch, target: working, operation: "test", file: #fileID, line: #line)
                    done.open()
                }
                done.wait()
            }
        }
        loop.shutdown()
    }
}
