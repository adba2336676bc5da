// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

@Suite(.offPool) struct UncheckedTwinTests {
    private let queue = DispatchQueue(label: "twins")

    @Test func sendableFunctionsDoNotTakeTheTwinsOfSwivelCompat() {
        // The twins are deprecated, and warnings are errors here: this would not compile if it took one.
        let function: @Sendable (Int) -> Int = { $0 + 1 }
        let maybe: (@Sendable (Int) -> Int)? = function
        #expect((function ~>> (1)).await() == 2)
        #expect((function +>> (1)).await() == 2)
        #expect((function ~>> queue ~>> (1)).await() == 2)
        #expect((maybe ?~>> (1))?.await() == 2)
        #expect((maybe ?+>> (1))?.await() == 2)
        #expect(function~>>.sync(1) == 2)
        #expect(function+>>.sync(1) == 2)
        #expect(function->>.on(queue).sync(1) == 2)
    }

    @Test func sendableHandlersDoNotTakeTheTwinsOfSwivelCompat() {
        let function: @Sendable (Int) -> Int = { $0 + 1 }
        let maybe: (@Sendable (Int) -> Int)? = function
        let gate = Gate()
        let handler: @Sendable (Int) -> Void = { _ in gate.open() }
        function ~>> (1) ~>> handler
        function ~>> (1) +>> handler
        function ~>> (1) ~>> queue ~>> handler
        maybe ?~>> (1) ~>> handler
        maybe ?~>> (1) ~>> queue ~>> handler
        maybe ?~>> (1) ~>> { _ in gate.open() }
        maybe ?~>> (1) ~>> queue ~>> { _ in gate.open() }
        gate.wait(times: 7)
    }
}
