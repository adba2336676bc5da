// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// P1: a future completes once.
@Suite(.offPool) struct PromiseTests {
    @Test func theTryFormsSayWhetherTheyCompleted() {
        let promise = Promise<Int, Boom>()
        #expect(promise.trySucceed(1))
        #expect(!promise.trySucceed(2))
        #expect(!promise.tryFail(Boom()))
        #expect(!promise.tryComplete(.success(3)))
        #expect(promise.future.result == .success(1))
        let failed = Promise<Int, Boom>()
        #expect(failed.tryFail(Boom()))
        #expect(!failed.trySucceed(2))
        #expect(failed.future.result == .failure(Boom()))
    }

    /// `promise.complete` and the like, where a function is wanted.
    @Test func aFormIsAFunction() {
        let promises = (0..<3).map { _ in Promise<Int, Boom>() }
        let (complete, succeed, fail):
            (
                (Result<Int, Boom>) -> Void, (Int) -> Void, (Boom) -> Void
            ) = (promises[0].complete, promises[1].succeed, promises[2].fail)
        complete(.success(1))
        succeed(2)
        fail(Boom())
        #expect(promises.map(\.future.result) == [.success(1), .success(2), .failure(Boom())])
    }

    @Test func aPromiseCompletesWithAnotherFuture() {
        let (first, second) = (Promise<Int, Boom>(), Promise<Int, Boom>())
        first.complete(with: second.future)
        #expect(first.future.result == nil)
        #expect(!first.trySucceed(9))
        second.succeed(1)
        #expect(first.future.result == .success(1))
        let third = Promise<Int, Boom>()
        third.complete(with: second.future)
        #expect(third.future.result == .success(1))
    }

    @Test func completingTwiceTrapsInDebugAndIsIgnoredInRelease() async throws {
        let result = try await #require(
            processExitsWith: Machine.isDebug ? .failure : .success, observing: standardError
        ) {
            exitTest {
                let promise = Promise<Int, Boom>()
                promise.succeed(1)
                promise.fail(Boom())
                require(promise.future.result == .success(1), "the first one counts")
            }
        }
        #expect(!Machine.isDebug || printed("completed before is completed again", result))
    }

    /// The line of the first form below. (In an exit test a line is that of the macro.)
    private static let line = #line + 3
    private static func completeAgain(_ promise: Promise<Int, Boom>, _ form: Int) {
        switch form {
        case 0: promise.succeed(2)
        case 1: promise.fail(Boom())
        case 2: promise.complete(.success(2))
        default: promise.complete(with: Future(value: 2))
        }
    }

    private static func completeTwice(_ form: Int) {
        let promise = Promise<Int, Boom>()
        promise.succeed(1)
        completeAgain(promise, form)
    }

    @Test func theSecondCompletionTrapsAtItsOwnLine() async throws {
        guard Machine.isDebug else { return }
        let results = [
            try await #require(processExitsWith: .failure, observing: standardError) {
                exitTest { PromiseTests.completeTwice(0) }
            },
            try await #require(processExitsWith: .failure, observing: standardError) {
                exitTest { PromiseTests.completeTwice(1) }
            },
            try await #require(processExitsWith: .failure, observing: standardError) {
                exitTest { PromiseTests.completeTwice(2) }
            },
            try await #require(processExitsWith: .failure, observing: standardError) {
                exitTest { PromiseTests.completeTwice(3) }
            },
        ]
        for (form, result) in results.enumerated() {
            let place = "SwivelFuturesTests/PromiseTests.swift:\(Self.line + form):"
            #expect(printed(place, result), "\(form)")
        }
    }

    @Test func completingIsAFunctionValue() {
        func pass(_ value: Int, to handler: @escaping @Sendable (Int) -> Void) { handler(value) }
        let promises = (0..<5).map { _ in Promise<Int, Boom>() }
        pass(1, to: promises[0].succeed)
        let succeed = promises[1].succeed
        succeed(2)
        [3].forEach(promises[2].succeed)
        let fail: @Sendable (Boom) -> Void = promises[3].fail
        fail(Boom(code: 4))
        let follow = promises[4].complete(with:)
        follow(promises[0].future)
        #expect(
            promises.map(\.future.result) == [
                .success(1), .success(2), .success(3), .failure(Boom(code: 4)), .success(1),
            ])
    }

    @Test func completingAFollowingPromiseTrapsInDebug() async throws {
        await #expect(processExitsWith: Machine.isDebug ? .failure : .success) {
            exitTest {
                let (promise, other) = (Promise<Int, Boom>(), Promise<Int, Boom>())
                promise.complete(with: other.future)
                promise.succeed(1)
                other.succeed(2)
                require(promise.future.result == .success(2), "the first one counts")
            }
        }
    }

    @Test func aFutureThatIsToCompleteAsItselfTraps() async throws {
        let direct = try await #require(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let promise = Promise<Int, Boom>()
                promise.complete(with: promise.future)
            }
        }
        #expect(printed("complete as itself", direct))
        let mapped = try await #require(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let promise = Promise<Int, Boom>()
                let result = Shared<Future<Int, Boom>?>(nil)
                result.value = promise.future.flatMap(on: .immediate) { _ in
                    result.value ?? Future(value: 0)
                }
                promise.succeed(1)
            }
        }
        #expect(printed("complete as itself", mapped))
    }
}
