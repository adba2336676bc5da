// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

private enum Fault: Error, Equatable { case first, second }

/// BrightFutures' names that Swivel has as well, and what its tests assert of them.
@Suite struct BrightFuturesNamesTests {
    private struct Person: Sendable { var name = "Ada" }

    @available(*, deprecated)
    @Test func keyPathsAndMembersOfTheValueAreFutures() {
        let person = Future<Person, Fault>(value: Person())
        #expect(person.name.forced() == .success("Ada"))
        #expect(person.map(\.name).forced() == .success("Ada"))
    }

    @available(*, deprecated)
    @Test func zipCountsItsOwnErrorFirst() {
        let first = Future<Int, Fault>(error: .first)
        let second = Future<Int, Fault>(error: .second)
        #expect(first.zip(second).forced().error == .first)
        #expect(second.zip(first).forced().error == .second)
        #expect(Future<Int, Fault>(value: 1).zip(second).forced().error == .second)
    }

    @available(*, deprecated)
    @Test func filterKeepsTheErrorOfItsSource() {
        let failed = Future<Int, Fault>(error: .first).filter { _ in true }
        #expect(failed.forced() == .failure(.external(.first)))
    }

    @available(*, deprecated)
    @Test func typesArePromotedForcedAndFlattened() {
        let value: Future<Int, Fault> = Future<Int, Never>(value: 1).promoteError()
        #expect(value.forced() == .success(1))
        let error: Future<Int, Fault> = Future<Never, Fault>(error: .first).promoteValue()
        #expect(error.forced() == .failure(.first))
        let forced: Future<Int, Fault> = Future<any Sendable, any Error>(value: 2).forceType()
        #expect(forced.forced() == .success(2))
        #expect(Future<Int, Fault>(value: 3).asVoid().forced().value != nil)
        let nested = Future<Future<Int, Fault>, Fault>(value: Future(value: 4))
        #expect(nested.flatten().forced() == .success(4))
    }

    @available(*, deprecated)
    @Test func forceTypeCastsTheValueAndTheError() {
        let any = Future<any Sendable, any Error>(value: 7)
        let number: Future<Int, Fault> = any.forceType()
        #expect(number.result == .success(7))
        let failed: Future<Int, Fault> = Future<any Sendable, any Error>(error: Fault.second)
            .forceType()
        #expect(failed.result == .failure(Fault.second))
    }

    @available(*, deprecated)
    private static func wrongType() {
        let text: Future<String, Fault> = Future<Int, Fault>(value: 7).forceType()
        print(text)
    }

    @available(*, deprecated)
    @Test func forceTypeOfAnotherTypeTraps() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            exitTest { BrightFuturesNamesTests.wrongType() }
        }
        #expect(printed("forceType() to String of a value that is a Int", result))
        #expect(printed("SwivelCompatTests/BrightFuturesNamesTests.swift:", result))
    }

    @available(*, deprecated)
    @Test func materializeTakesTheThreeKindsOfHandlers() {
        let pair: Future<Int, Fault> = materialize { $0(nil, .first) }
        #expect(pair.forced() == .failure(.first))
        let single: Future<Int, Never> = materialize { $0(2) }
        #expect(single.forced() == .success(2))
        let error: Future<Void, Fault> = materialize { (handler: (Fault?) -> Void) in handler(nil) }
        #expect(error.forced().value != nil)
    }

    @available(*, deprecated)
    @Test func theOtherSideOfADefaultIsNotEvaluatedOnSuccess() {
        let evaluated = Note<Bool>(false)
        @Sendable func other() -> Future<Int, Fault> {
            evaluated.set(true)
            return Future(value: 2)
        }
        #expect((Future<Int, Fault>(value: 1) ?? other()).forced() == .success(1))
        #expect(!evaluated.value)
        #expect((Future<Int, Fault>(error: .first) ?? other()).forced() == .success(2))
    }

    @available(*, deprecated)
    @Test func whatIsNotTransformedIsPassedOn() {
        let bad = Future<Int, Fault>(error: .first)
        let good = Future<Int, Fault>(value: 1)
        let ran = Note<Int>(0)
        #expect(bad.map { _ in ran.update { $0 += 1 } }.forced().error == .first)
        #expect(bad.flatMap { _ in good }.forced().error == .first)
        #expect(good.recover { _ in 9 }.forced() == .success(1))
        #expect(good.mapError { _ in Fault.second }.forced() == .success(1))
        #expect(ran.value == 0)
    }

    @available(*, deprecated)
    @Test func emptySequencesHaveTheirResultAtOnce() {
        #expect([Future<Int, Fault>]().sequence().result == .success([]))
        #expect([Future<Int, Fault>]().fold(7, f: { $0 + $1 }).result == .success(7))
    }

    @available(*, deprecated)
    @Test func theFirstFailureInListOrderDecides() {
        let promise = Promise<Int, Fault>()
        let all = [promise.future, Future(error: .second)].sequence()
        promise.failure(.first)
        #expect(all.forced().error == .first)
    }

    @available(*, deprecated)
    @Test func findStopsAtTheFirstMatchWhosePredecessorsAreKnown() {
        let futures = [Future<Int, Fault>(value: 1), Future(value: 2), Future()]
        #expect(futures.find { $0 == 2 }.forced() == .success(2))
    }

    @available(*, deprecated)
    @Test func getSuspends() async throws {
        #expect(try await Future<Int, Fault>(value: 1).get() == 1)
        #expect(await Async<Int>(value: 2).get() == 2)
        await #expect(throws: Fault.first) { try await Future<Int, Fault>(error: .first).get() }
    }

    @available(*, deprecated)
    @Test func callbacksOfOneFutureNeverOverlap() {
        let queues = (0..<10).map { DispatchQueue(label: "compat.\($0)") }
        let (inside, overlaps) = (Note<Int>(0), Note<Int>(0))
        let p = Promise<Int, Fault>()
        for number in 0..<100 {
            p.future.onSuccess(queues[number % 10].context) { _ in
                inside.update { $0 += 1 }
                if inside.value != 1 { overlaps.update { $0 += 1 } }
                inside.update { $0 -= 1 }
            }
        }
        let last = p.future.andThen(context: queues[0].context) { _ in }
        p.success(1)
        _ = last.forced()
        #expect(overlaps.value == 0)
    }

    @available(*, deprecated)
    @Test func callbacksAreReleasedAndDoNotHoldTheirFuture() {
        final class Token: Sendable {}
        weak var token: Token?
        weak var future: Future<Int, Fault>?
        do {
            let p = Promise<Int, Fault>()
            let capture = Token()
            token = capture
            future = p.future
            p.future.onSuccess(immediateExecutionContext) { _ in withExtendedLifetime(capture) {} }
            p.success(1)
        }
        #expect(token == nil && future == nil)
    }

    @available(*, deprecated)
    @Test func aCallbackCanBeAddedInsideACallback() {
        let p = Promise<Int, Fault>()
        let seen = Note<Int>(0)
        p.future.onSuccess(immediateExecutionContext) { [future = p.future] value in
            future.onSuccess(immediateExecutionContext) { inner in
                seen.update { $0 += value + inner }
            }
        }
        p.success(1)
        #expect(seen.value == 2)
    }

    @available(*, deprecated)
    @Test func noCallbackRunsOnAQueueAfterItsTokenWasInvalidatedThere() {
        let queue = DispatchQueue(label: "compat")
        for _ in 0..<100 {
            let (token, late) = (InvalidationToken(), Note<Bool>(false))
            let p = Promise<Int, Fault>()
            p.future.onSuccess(token.validContext(queue)) { _ in
                if token.isInvalid { late.set(true) }
            }
            let invalidated = queue.asyncValue { token.invalidate() }
            p.success(1)
            _ = invalidated.forced()
            #expect(!late.value)
        }
    }
}
