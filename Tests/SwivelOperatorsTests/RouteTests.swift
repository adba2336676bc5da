// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

@Suite(.offPool) struct RouteTests {
    private let queue = DispatchQueue(label: "route")
    private let double: @Sendable (Int) -> Int = { $0 * 2 }

    /// Where the function runs, as a name.
    private var place: @Sendable () -> String { { [queue] in nameOfPlace(queue) } }

    @Test func eachPostfixBindsAFunctionToItsPlace() {
        #expect(place~>>.async().await() == "background")
        #expect(place+>>.async().await() == "main")
        #expect(place->>.main.async().await() == "main")
        #expect(place->>.background.async().await() == "background")
        #expect(place->>.on(queue).async().await() == "queue")
    }

    // In the body of an exit test all lines have the number of its first one.
    private static func discardACall() {
        let errors = Errors()
        let lost: @Sendable (Int) throws -> Int = { _ in throw Boom() }
        lost~>>.async(3)
        let text = errors.line()
        let site = "SwivelOperatorsTests/RouteTests.swift:\(#line - 2): Swivel: "
        require(text.hasPrefix(site + "the work submitted here"), text)
    }

    @Test(.enabled(if: Machine.isDebug)) func theErrorOfADiscardedCallIsReportedAtItsLine() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                Self.discardACall()
            }
        }
    }

    private static func discardTwoArrows() {
        struct Lost: Error { let number: Int }
        let errors = Errors()
        let lose: @Sendable (Int) throws -> Int = { throw Lost(number: $0) }
        for number in 1...2 {
            lose ~>> (number)
            let text = errors.line()
            require(text.contains("SwivelOperators/Arrows.swift"), text)
            let hint = "(an arrow has no line: search for what throws this error)"
            require(text.contains("Lost(number: \(number)) \(hint)"), text)
        }
    }

    @Test(.enabled(if: Machine.isDebug)) func everyErrorOfADiscardedArrowIsReported() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                Self.discardTwoArrows()
            }
        }
    }

    @Test func callsOfARouteAreFunctionValues() {
        let futures: [Future<Int, Never>] = [1, 2].map(double~>>.async)
        let values: [Int] = futures.map { $0.await() }
        #expect(values == [2, 4])
    }

    @Test func aRouteCanBeGivenAnotherContext() throws {
        let loop = try Loop()
        let route = place~>>
        #expect(route.on(queue).sync() == "queue")
        #expect(route.main.sync() == "main")
        #expect(route.on(loop).sync() == "loop")
        #expect(route.main.background.sync() == "background")
        #expect(route.sync() == "background")
        loop.shutdown()
    }

    @Test func theFunctionNeverRunsInsideAsync() {
        queue.sync {
            let ran = Shared(false)
            let function: @Sendable () -> Void = { ran.value = true }
            function~>>.on(queue).async()
            #expect(!ran.value)
        }
        queue.sync {}
    }

    @Test func syncRunsNothingOfAnInvalidToken() throws {
        let (loop, token, ran) = (try Loop(), InvalidationToken(), Counter())
        let function: @Sendable () throws -> Int = {
            ran.add()
            return 1
        }
        let route = function~>>.on(token.context(loop))
        let before = loop.submit { () throws in try route.sync() }
        #expect(try before.await() == 1)
        token.invalidate()
        let after = loop.submit { () throws in try route.sync() }
        #expect { try after.await() } throws: { ($0 as? SwivelError)?.code == .abandoned }
        #expect(ran.value == 1)
        loop.shutdown()
    }

    @Test func syncOnTheCurrentContextRunsInline() throws {
        let loop = try Loop()
        let here: @Sendable () -> Bool = { [queue] in queue.isCurrent }
        #expect(queue.sync { here~>>.on(queue).sync() })
        let order = Shared<[Int]>([])
        loop.submit {
            loop.execute { order.update { $0.append(2) } }
            let first: @Sendable () -> Void = { order.update { $0.append(1) } }
            first~>>.on(loop).sync()
            #expect(order.value == [1])
        }.await()
        #expect(DispatchQueue.main.sync { place+>>.sync() } == "main")
        loop.shutdown()
    }

    @Test func syncThrowsWhatTheFunctionThrows() {
        let fail: @Sendable (Int) throws(Boom) -> Int = { (_: Int) throws(Boom) in throw Boom() }
        do {
            _ = try fail~>>.on(queue).sync(1)
            Issue.record("nothing was thrown")
        } catch {
            let boom: Boom = error
            #expect(boom == Boom())
        }
        #expect(throws: Boom.self) { try queue.sync { try fail~>>.on(queue).sync(1) } }
        #expect(throws: Boom.self) { try fail+>>.async(1).await() }
    }

    @Test func aRouteCarriesAThrowingFunctionsOwnErrorType() {
        let untyped: @Sendable (Int) throws -> Int = { if $0 > 0 { throw Boom() } else { $0 } }
        let future: Future<Int, any Error> = untyped~>>.async(1)
        #expect(throws: Boom.self) { try future.await() }
        let typed: @Sendable (Int) throws(Boom) -> Int = { (_: Int) throws(Boom) in throw Boom() }
        let result: Result<Int, Boom>? = {
            let future = typed ~>> queue ~>> (1)
            _ = try? future.await()
            return future.result
        }()
        #expect(result == .failure(Boom()))
    }

    @Test func aClosureIsAFunctionToo() {
        #expect({ (i: Int) in i * 2 }+>>.sync(4) == 8)
        #expect({ (i: Int, s: String) in s + String(i) }~>>.on(queue).sync(4, "a") == "a4")
        let gate = Gate()
        _ = { gate.open() }~>>.async()
        let open: @Sendable () -> Void = { gate.open() }
        open+>>.sync()
        gate.wait(times: 2)
    }

    @Test func theRestOfABoundMethodIsReleasedAfterItsCall() {
        final class Token: Sendable {
            let gone: Gate
            init(_ gone: Gate) { self.gone = gone }
            func use() -> Int { 1 }
            deinit { gone.open() }
        }
        let gone = Gate()
        for _ in 0..<100 {
            let token = Token(gone)
            let use: @Sendable () -> Int = { token.use() }
            _ = use~>>.sync()
            use ~>> queue ~>> () ~>> { _ in }
        }
        gone.wait(times: 100)
    }
}

/// Whether the caller is on `queue`, on the main queue, on a loop, or on none of them.
func nameOfPlace(_ queue: DispatchQueue) -> String {
    if queue.isCurrent { return "queue" }
    if DispatchQueue.main.isCurrent { return "main" }
    return Loop.current == nil ? "background" : "loop"
}
