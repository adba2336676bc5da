// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

/// Function values that are not `@Sendable`, as in code written before Swift 6.
@Suite(.offPool) struct BriskUncheckedTests {
    private let queue = DispatchQueue(label: "brisk.unchecked")

    /// Brisk's flagship sample, to the letter.
    private final class Server {
        let gate = Gate()

        @available(*, deprecated)
        func synchronousSave(
            valid: Bool,
            completionHandler: @escaping (_ success: Bool, _ error: (any Error)?) -> Void
        ) {
            guard valid else {
                return completionHandler +>> (success: false, error: nil)
            }
            completionHandler ~>> (true, nil)
        }
    }

    @available(*, deprecated)
    @Test func aHandlerParameterOfOldCodeCompilesAndRuns() {
        let server = Server()
        let gate = server.gate
        server.synchronousSave(valid: false) { success, _ in
            if !success && DispatchQueue.main.isCurrent { gate.open() }
        }
        server.synchronousSave(valid: true) { success, error in
            if success && error == nil && !DispatchQueue.main.isCurrent { gate.open() }
        }
        gate.wait(times: 2)
    }

    @available(*, deprecated)
    private func callAll(_ function: @escaping (Int) -> Int) -> [Int] {
        [
            (function ~>> (1)).await(), (function +>> (2)).await(),
            (function ~>> queue ~>> (3)).await(), function~>>.sync(4), function+>>.sync(5),
            function->>.on(queue).sync(6),
        ]
    }

    @available(*, deprecated)
    private func callAll(_ function: ((Int) -> Int)?) -> [Int?] {
        [
            (function ?~>> (1))?.await(), (function ?+>> (2))?.await(),
            (function ?~>> queue ~>> (3))?.await(), function?~>>.sync(4), function?+>>.sync(5),
        ]
    }

    @available(*, deprecated)
    private func notify(_ handler: ((Bool, String) -> Void)?) {
        handler ?~>> (true, "a")
        handler ?+>> (true, "b")
    }

    @available(*, deprecated)
    @Test func eachOperatorTakesAnUncheckedFunction() {
        let box = NSMutableString(string: "ab")
        #expect(callAll { $0 + box.length } == [3, 4, 5, 6, 7, 8])
    }

    @available(*, deprecated)
    @Test func eachOptionalOperatorTakesAnUncheckedFunction() {
        let function: ((Int) -> Int)? = { $0 * 2 }
        #expect(callAll(function) == [2, 4, 6, 8, 10])
        let none: ((Int) -> Int)? = nil
        #expect(callAll(none) == [nil, nil, nil, nil, nil])
        let gate = Gate()
        notify { isDone, _ in if isDone { gate.open() } }
        notify(nil)
        gate.wait(times: 2)
    }

    @available(*, deprecated)
    private func handle(
        _ function: @escaping @Sendable (Int) -> Int, _ completion: @escaping (Int) -> Void
    ) {
        let maybe: (@Sendable (Int) -> Int)? = function
        function ~>> (1) ~>> completion
        function ~>> (2) +>> completion
        function ~>> (3) ~>> queue ~>> completion
        maybe ?~>> (4) ~>> completion
        maybe ?~>> (5) +>> completion
        maybe ?~>> (6) ~>> queue ~>> completion
        let none: (@Sendable (Int) -> Int)? = nil
        none ?~>> (7) ~>> completion
        none ?~>> (8) +>> completion
        none ?~>> (9) ~>> queue ~>> completion
    }

    @available(*, deprecated)
    @Test func aHandlerThatIsAParameterOfOldCodeIsCalled() {
        let (gate, seen) = (Gate(), Shared<[Int]>([]))
        handle({ $0 * 10 }) { number in
            seen.update { $0.append(number) }
            gate.open()
        }
        gate.wait(times: 6)
        #expect(seen.value.sorted() == [10, 20, 30, 40, 50, 60])
    }

    @available(*, deprecated)
    @Test func aThrowingUncheckedFunctionKeepsItsError() {
        struct Boom: Error {}
        let fail: (Int) throws(Boom) -> Int = { (_: Int) throws(Boom) in throw Boom() }
        #expect(throws: Boom.self) { try (fail ~>> (1)).await() }
        #expect(throws: Boom.self) { try fail+>>.sync(1) }
    }
}
