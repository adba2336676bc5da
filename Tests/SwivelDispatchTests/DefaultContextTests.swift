// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

@Suite(.offPool) struct DefaultContextTests {
    private func isBackground(_ context: any ExecutionContext) -> Bool {
        context as? WorkerPool === WorkerPool.shared
    }

    @Test func onALoopItIsThatLoop() throws {
        let loop = try Loop.manual()
        let answer = Shared<(any ExecutionContext)?>(nil)
        loop.execute { answer.value = defaultContext() }
        loop.advance(by: .zero)
        #expect(answer.value as? Loop === loop)
    }

    @Test func onAThreadAQueueOrAWorkerItIsTheBackground() {
        #expect(isBackground(defaultContext()))
        let queue = DispatchQueue(label: "test.default")
        #expect(queue.sync { isBackground(defaultContext()) })
        let answer = Shared<(any ExecutionContext)?>(nil)
        let gate = Gate()
        WorkerPool.shared.execute {
            answer.value = defaultContext()
            gate.open()
        }
        gate.wait()
        #expect(answer.value.map(isBackground) == true)
    }

    @Test @MainActor func onTheMainQueueWhereItIsDrivenItIsTheMainQueue() {
        #expect(DispatchQueue.main.isCurrent)
        #expect((defaultContext() as? DispatchQueue)?.isCurrent == true)
    }

    @Test @MainActor func theMainQueueIsKnownByItsKeyAndNotByTheThread() {
        let queue = DispatchQueue(label: "test.default")
        let answers = queue.sync {
            (DispatchQueue.main.isCurrent, isBackground(defaultContext()))
        }
        #expect(answers == (false, true))
    }
}
