// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

@Suite(.offPool) struct SwiftAsyncTests {
    private let queue = DispatchQueue(label: "swift-async")

    private final class Store: @unchecked Sendable {
        // because each test awaits the write before it reads.
        var field = 0
        @Sendable func slow() -> Int { 7 }
        func start() -> Async<Int> { Async<Int>(self.slow) }
    }

    @Test func aTupleResultDestructures() {
        let task = Async<(result: String, code: Int)> { (result: "ok", code: 200) }
        let (result, code) = task.await()
        #expect(result == "ok" && code == 200)
        #expect(task.await().code == 200)
    }

    @Test func aMemberFunctionIsWork() {
        #expect(Store().start().await() == 7)
    }

    @available(*, deprecated)
    @Test func anAsynchronousFunctionIsWorkAndNoExpression() {
        @Sendable func load() async -> Int { 7 }
        #expect(Async(load).await() == 7)
    }

    @available(*, deprecated)
    @Test func anExpressionIsWork() {
        let store = Store()
        #expect(Async<Int>(store.slow()).await() == 7)
        Async<Void>(store.field = store.slow()).await()
        #expect(store.field == 7)
        let isDone = Gate()
        Async<Void>(queue, isDone.open())
        isDone.wait()
        Async<Void>(queue, store.field = 8).await()
        #expect(store.field == 8)
        #expect(Async<Bool>(queue, queue.isCurrent).await())
    }

    @available(*, deprecated)
    @Test func theQueueMayBeLabelled() {
        let trailing = Async<Bool>(queue: queue) { [queue] in queue.isCurrent }
        let labelled = Async<Bool>(queue: queue, closure: { [queue] in queue.isCurrent })
        let expression = Async<Bool>(queue: queue, queue.isCurrent)
        let positional = Async<Bool>(queue) { [queue] in queue.isCurrent }
        for task in [trailing, labelled, expression, positional] { #expect(task.await()) }
    }

    @available(*, deprecated)
    @Test func aPriorityNamesAGlobalQueue() {
        // Traps on any other queue.
        @Sendable func isOn(_ qos: DispatchQoS.QoSClass) -> Bool {
            dispatchPrecondition(condition: .onQueue(.global(qos: qos)))
            return true
        }
        let tasks = [
            Async<Bool>(priority: .utility) { isOn(.utility) },
            Async<Bool>(priority: .background, isOn(.background)),
            Async<Bool>(priority: 2) { isOn(.userInitiated) },
            Async<Bool>(priority: 0) { isOn(.default) },
            Async<Bool>(priority: -2, isOn(.utility)),
            Async<Bool>(priority: Int(Int16.min)) { isOn(.background) },
        ]
        for task in tasks { #expect(task.await()) }
    }

    @available(*, deprecated)
    @Test func aDependentStartsWhenItsInputIsThere() {
        let promise = Promise<Int, Never>()
        let dependent = Async<Bool>(queue: queue, dependsOn: promise.future) { [queue] in
            $0 == 5 && queue.isCurrent
        }
        #expect(!dependent.isCompleted)
        promise.succeed(5)
        #expect(dependent.await())
    }

    @available(*, deprecated)
    @Test func aDependentKnowsTheQueueThatItNeeds() {
        let (promise, busy) = (Promise<Int, Never>(), DispatchQueue(label: "busy"))
        busy.suspend()
        let late = Async<Int>(queue: queue, dependsOn: promise.future) { $0 }
        let far = Async<Int>(queue: .immediate, dependsOn: Async<Int>(busy) { 1 }) { $0 }
        #expect(late.contextsNeeded.map { ($0 as? DispatchQueue)?.label } == ["swift-async"])
        #expect(far.contextsNeeded.map { ($0 as? DispatchQueue)?.label } == ["busy"])
        busy.resume()
        promise.succeed(1)
        #expect(late.await() + far.await() == 2)
    }

    @Test func awaitWithAClosureMakesADependent() {
        let input = Async<Int> { 2 }
        let double = input.await(queue) { $0 * 2 }
        let text = input.await { "\($0)" }
        let gate = Gate()
        input.await(queue) { _ in gate.open() }
        input.await { _ in gate.open() }
        #expect(double.await() == 4)
        #expect(text.await() == "2")
        gate.wait(times: 2)
    }
}
