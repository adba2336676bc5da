// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import Testing

private enum Fault: Error { case broken }

/// What AwaitKit's own tests and samples do. `await` is a keyword by now: it needs backticks.
@Suite struct AwaitKitTests {
    private let queue = DispatchQueue(label: "compat.ak", attributes: .concurrent)

    private func signUp() -> Future<Int, any Error> { delayed(1) }

    private func sendWelcomeMail(to user: Int) -> Future<String, any Error> {
        Future(value: "mail to \(user)")
    }

    private func delayed(_ value: Int) -> Future<Int, any Error> {
        Future(value: value, after: .milliseconds(1), on: .background)
    }

    @available(*, deprecated)
    @Test func signUpReadsTopDown() throws {
        let future = async {
            let user = try `await`(signUp())
            return try `await`(sendWelcomeMail(to: user))
        }
        #expect(try `await`(future) == "mail to 1")
    }

    @available(*, deprecated)
    @Test func aDelayedValueIsAwaited() throws {
        #expect(try `await`(delayed(42)) == 42)
        #expect(try queue.ak.await(delayed(43)) == 43)
    }

    @available(*, deprecated)
    @Test func theTypesOfTheLastVersionAreThere() throws {
        func own(_ value: some AwaitKitCompatible) {}
        own(queue)
        #expect(try Extension(queue).await { 1 } == 1)
        #expect(Queue.async === Queue.await)
        let future = Queue.async.submit { 2 }
        #expect(future.await() == 2)
    }

    @available(*, deprecated)
    @Test func aThrownErrorRejects() {
        let future = async { () throws -> Int in throw Fault.broken }
        #expect(throws: Fault.self) { try `await`(future) }
        #expect((try? `await`(async { () throws -> Int in throw Fault.broken })) == nil)
        #expect(throws: Fault.self) {
            try queue.ak.await { () throws -> Int in throw Fault.broken }
        }
    }

    @available(*, deprecated)
    @Test func aBodyOfItsOwnIsAwaited() throws {
        #expect(try `await` { 1 } == 1)
        #expect(try `await`(on: queue) { 2 } == 2)
        #expect(try queue.ak.await { 3 } == 3)
    }

    @available(*, deprecated)
    @Test func aVoidBodyIsFireAndForget() {
        let ran = Note<Bool>()
        async { ran.set(true) }
        #expect(ran.wait())
        let onQueue = Note<Bool>()
        queue.ak.async { onQueue.set(true) }
        #expect(onQueue.wait())
        async { throw Fault.broken }
    }

    @available(*, deprecated)
    @Test func awaitsNest() throws {
        let inner = delayed(7)
        let outer = async { try `await`(async { try `await`(inner) }) }
        #expect(try `await`(outer) == 7)
        let nested = queue.ak.async { try self.queue.ak.await { 8 } }
        #expect(try `await`(nested) == 8)
    }

    @available(*, deprecated)
    @Test func theCurrentQueueIsNeverAwaitedEvenIfTheFutureIsThere() {
        let serial = DispatchQueue(label: "compat.serial")
        let thrown = Note<SwivelError.Code?>()
        serial.ak.async {
            do {
                try serial.ak.await(Async<Int>(value: 1))
                thrown.set(nil)
            } catch {
                thrown.set((error as? SwivelError)?.code)
            }
        }
        #expect(thrown.wait() == .wouldDeadlock)
    }

    @available(*, deprecated)
    @Test func theFormsOfTheFirstVersionTakeAQueue() throws {
        let future = async(on: queue) { 9 }
        #expect(try `await`(on: queue, future) == 9)
    }
}
