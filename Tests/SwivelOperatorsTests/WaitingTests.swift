// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

@Suite(.offPool) struct WaitingTests {
    private let queue = DispatchQueue(label: "waiting")

    @Test func hereIsTheCallersOwnThreadAndStack() {
        queue.sync {
            let isHere = <<-{ (handler: @escaping @Sendable (Bool) -> Void) in
                handler(queue.isCurrent)
            }
            #expect(isHere)
        }
    }

    @Test func aHandlerCalledBeforeItsOperationReturnsIsNotWaitedFor() {
        let order = Shared<[String]>([])
        let value = <<-{ (handler: @escaping @Sendable (Int) -> Void) in
            handler(7)
            order.update { $0.append("operation") }
        }
        order.update { $0.append("after") }
        #expect(value == 7)
        #expect(order.value == ["operation", "after"])
    }

    @Test func theBackgroundIsTheWorkerPool() throws {
        let loop = try Loop()
        let isElsewhere = <<~{ (handler: @escaping @Sendable (Bool) -> Void) in
            handler(Loop.current == nil && !queue.isCurrent && !DispatchQueue.main.isCurrent)
        }
        #expect(isElsewhere)
        loop.shutdown()
    }

    @Test func plusIsTheMainQueueAndTheMainActor() {
        let isMain = <<+{ (handler: @escaping @Sendable (Bool) -> Void) in
            MainActor.assertIsolated()
            handler(DispatchQueue.main.isCurrent)
        }
        #expect(isMain)
    }

    @Test func aNamedContextRunsTheOperation() throws {
        let loop = try Loop()
        let onQueue = <<~queue ~~~ { $0(queue.isCurrent) }
        let onLoop = <<~loop ~~~ { $0(loop.isCurrent) }
        let onMain = <<~.main ~~~ { $0(DispatchQueue.main.isCurrent) }
        let somewhere = <<~.background ~~~ { $0(Loop.current == nil) }
        #expect(onQueue && onLoop && onMain && somewhere)
        loop.shutdown()
    }

    @Test func aLoopThatWaitsRunsTheOperationItself() throws {
        let loop = try Loop()
        let answer = loop.submit {
            let inner =
                <<~loop ~~~ { (handler: @escaping @Sendable (Int) -> Void) in
                    loop.schedule(after: .milliseconds(1)) { handler(3) }
                }
            return inner + <<~{ (handler: @escaping @Sendable (Int) -> Void) in handler(4) }
        }
        #expect(answer.await() == 7)
        loop.shutdown()
    }

    @Test func resultsDestructure() {
        @Sendable func load(
            _ name: String, handler: @escaping @Sendable (String, Int) -> Void
        ) {
            queue.async { handler(name, name.count) }
        }
        let (name, count) = <<~{ load("pics", handler: $0) }
        #expect(name == "pics" && count == 4)
        var text: String
        var length: Int
        (text, length) = <<-{ load("a", handler: $0) }
        #expect(text == "a" && length == 1)
        (text, length) = <<~queue ~~~ { load("bb", handler: $0) }
        #expect(text == "bb" && length == 2)
        let whole = <<+{ load("ccc", handler: $0) }
        #expect(whole.0 == "ccc" && whole.1 == 3)
    }

    @Test func aConditionMayFollowTheRedirection() {
        typealias Operation = @Sendable (@escaping @Sendable (Int) -> Void) -> Void
        let (first, second): (Operation, Operation) = ({ $0(1) }, { $0(2) })
        let which = <<~queue ~~~ queue.isCurrent ? second : first
        #expect(which == 1)
    }
}
