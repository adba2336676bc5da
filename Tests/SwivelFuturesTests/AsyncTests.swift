// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// `Async`, a future that cannot fail and starts at once.
@Suite(.offPool) struct AsyncTests {
    private final class Record: Sendable {
        @Sendable func member() -> Int { 7 }
    }

    @Test func itStartsAtOnceThoughNobodyWaits() {
        let ran = Counter()
        _ = Async<Void> { _ = ran.add() }
        #expect(eventually { ran.value == 1 })
    }

    @Test func closuresAndFunctionsAreSpelledAlike() {
        let record = Record()
        let queue = serialQueue()
        #expect(Async<Int> { 1 }.await() == 1)
        #expect(Async<Int>(record.member).await() == 7)
        #expect(Async<Int>(queue) { queue.isCurrent ? 4 : 0 }.await() == 4)
        #expect(Async<Int>(on: queue) { 6 }.await() == 6)
    }

    /// Though calls of them have a call site.
    @Test func functionsThatTakeWorkAreFunctionValues() throws {
        let (works, queue) = ((1...2).map { number in { @Sendable in number } }, serialQueue())
        typealias Start = (any ExecutionContext, @escaping @Sendable () -> Int) -> Async<Int>
        let starts: [Start] = [Async<Int>.init(on:_:), Async<Int>.init(_:_:)]
        for start in starts { #expect(works.map { start(queue, $0).await() } == [1, 2]) }
        let tasks: [Async<Int>] = works.map(Async<Int>.init)
        let submitted: [Async<Int>] = works.map(queue.submit)
        let later: (Duration, @escaping @Sendable () -> Int) -> Async<Int> = queue.submit(after:_:)
        let results = works.map { work in { @Sendable in Result<Int, Boom>.success(work()) } }
        let ofResults: [Future<Int, Boom>] = results.map(queue.submit)
        #expect(tasks.map { $0.await() } == [1, 2] && submitted.map { $0.await() } == [1, 2])
        #expect(later(.zero, works[0]).await() == 1)
        #expect(try ofResults.map { try $0.await() } == [1, 2])
    }

    @Test func dependentsStartWhenTheirInputIsThere() {
        let promise = Promise<Int, Never>()
        let queue = serialQueue()
        let here = promise.future.await { $0 + 1 }
        let there = promise.future.await(queue) { queue.isCurrent ? $0 + 2 : 0 }
        #expect(here.result == nil && there.result == nil)
        promise.succeed(1)
        #expect(here.await() == 2 && there.await() == 3)
    }

    @Test func anAsynchronousFunctionIsRunByItsNameAndInAClosure() {
        let ran = Counter()
        @Sendable func load() async -> Int {
            await Task.yield()
            return ran.add()
        }
        let (named, inClosure) = (Async(load), Async { await load() })
        #expect(Set([named.await(), inClosure.await()]) == [1, 2])
        #expect(ran.value == 2)
    }

    @Test func asynchronousWorkThatThrowsFailsTheFuture() {
        let load: @Sendable () async throws(Boom) -> Int = { () async throws(Boom) in
            throw Boom(code: 2)
        }
        #expect(throws: Boom(code: 2)) { try Future(load).await() }
        #expect(throws: Boom(code: 2)) {
            try Future<Int, any Error> { try await load() }.await()
        }
    }

    @Test func synchronousWorkIsNoTaskInAsynchronousCodeEither() async {
        let isTask = Async { withUnsafeCurrentTask { $0 != nil } }
        #expect(await isTask.value == false)
    }

    @Test func workThatThrowsFailsTheFuture() {
        let work: @Sendable () throws(Boom) -> Int = { () throws(Boom) in throw Boom(code: 1) }
        #expect(throws: Boom(code: 1)) { try Future<Int, Boom>(work).await() }
        #expect(throws: Boom(code: 1)) { try Future<Int, Boom>(.background, work).await() }
    }
}
