// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

@Suite(.offPool) struct OptionalArrowTests {
    private let queue = DispatchQueue(label: "optional")
    private let function: (@Sendable (Int) -> Int)? = { $0 * 2 }
    private let none: (@Sendable (Int) -> Int)? = nil

    @Test func aFunctionThatIsThereRuns() {
        #expect((function ?~>> (2))?.await() == 4)
        #expect((function ?+>> (3))?.await() == 6)
        #expect((function ?~>> queue ~>> (4))?.await() == 8)
        #expect((function ?~>> queue ?~>> (5))?.await() == 10)
    }

    @Test func withoutAFunctionNothingHappens() {
        #expect((none ?~>> (2)) == nil)
        #expect((none ?+>> (2)) == nil)
        #expect((none ?~>> queue ~>> (2)) == nil)
        #expect((none ?~>> queue ?~>> (2)) == nil)
        let isHandled = Shared(false)
        none ?~>> (2) ~>> { _ in isHandled.value = true }
        none ?+>> (2) +>> { _ in isHandled.value = true }
        none ?~>> (2) ~>> queue ~>> { _ in isHandled.value = true }
        queue.sync {}
        #expect(!isHandled.value)
    }

    @Test func theResultIsHandledWhereTheArrowSays() {
        let gate = Gate()
        function ?~>> (2) ~>> { if $0 == 4 { gate.open() } }
        function ?+>> (2) +>> { if $0 == 4 && DispatchQueue.main.isCurrent { gate.open() } }
        function ?~>> (2) ~>> queue ~>> { [queue] in if $0 == 4 && queue.isCurrent { gate.open() } }
        function ?~>> queue ~>> (2) ~>> { if $0 == 4 { gate.open() } }
        gate.wait(times: 4)
    }

    @Test func aHandlerWithoutAResultMayBeMissing() {
        let gate = Gate()
        let handler: (@Sendable (Bool, String?) -> Void)? = { isDone, _ in
            if isDone { gate.open() }
        }
        let missing: (@Sendable (Bool, String?) -> Void)? = nil
        func finish() {
            missing ?~>> (true, nil)
            missing ?+>> (true, nil)
            handler ?~>> (true, nil)
            handler ?~>> queue ~>> (true, "a")
            return handler ?+>> (true, nil)
        }
        func finish(isMissing: Bool) {
            if isMissing { return missing ?~>> queue ?~>> (true, "b") }
            return handler ?~>> queue ~>> (true, "c")
        }
        finish()
        finish(isMissing: true)
        finish(isMissing: false)
        gate.wait(times: 4)
    }

    @Test func thePostfixFormsAreOptionalChains() {
        #expect(function?~>>.sync(2) == 4)
        #expect(function?+>>.sync(2) == 4)
        #expect(none?~>>.sync(2) == nil)
        #expect(function?+>>.async(2).await() == 4)
        #expect(none?+>>.async(2) == nil)
        #expect(function?->>.on(queue).sync(3) == 6)
    }

    @Test func aThrowingFunctionThatIsThereThrows() {
        let fail: (@Sendable (Int) throws(Boom) -> Int)? = { (_: Int) throws(Boom) in throw Boom() }
        #expect(throws: Boom.self) { try (fail ?~>> (1))?.await() }
        #expect(throws: Boom.self) { try (fail ?+>> (1))?.await() }
    }
}
