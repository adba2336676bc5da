// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

@Suite(.offPool) struct FutureTests {
    @Test func aFutureMadeOfAValueHasCompleted() {
        let future = Future<Int, Boom>(value: 3)
        #expect(future.result == .success(3))
        #expect(future.isCompleted && future.isSuccess && !future.isFailure)
    }

    @Test func aFutureMadeOfAnErrorHasCompleted() {
        let future = Future<Int, Boom>(error: Boom(code: 1))
        #expect(future.result == .failure(Boom(code: 1)))
        #expect(future.isCompleted && !future.isSuccess && future.isFailure)
    }

    @Test func aFutureMadeOfAResultHasIt() {
        #expect(Future<Int, Boom>(result: .success(1)).result == .success(1))
        #expect(Future<Int, Boom>(result: .failure(Boom())).result == .failure(Boom()))
    }

    @Test func aFutureOfNothingNeverCompletes() {
        let future = Future<Int, Boom>()
        #expect(future.result == nil)
        #expect(!future.isCompleted && !future.isSuccess && !future.isFailure)
    }

    @Test func theResolverRunsAtOnceAndItsFirstCallCounts() {
        let ran = Counter()
        let future = Future<Int, Boom> { complete in
            ran.add()
            complete(.success(1))
            complete(.failure(Boom()))
            complete(.success(2))
        }
        #expect(ran.value == 1)
        #expect(future.result == .success(1))
    }

    @Test func theDescriptionSaysTheTypesAndTheResult() {
        let promise = Promise<Int, Never>()
        #expect("\(promise.future)" == "Future<Int, Never>(pending)")
        promise.succeed(1)
        #expect("\(promise.future)" == "Future<Int, Never>(success(1))")
    }

    @Test func aPartOfTheValueIsAFuture() {
        struct User { var name: String; var age: Int }
        let promise = Promise<User, Boom>()
        let (name, length) = (promise.future.name, promise.future.name.count)
        promise.succeed(User(name: "Ada", age: 36))
        #expect(name.result == .success("Ada"))
        #expect(length.result == .success(3))
        #expect(Future<User, Boom>(error: Boom()).age.result == .failure(Boom()))
    }
}

/// A value that needs more alignment than a word has.
private struct Aligned: Sendable, Equatable {
    var wide: SIMD16<Double>
    var token: Int
}

private enum Shape: Sendable, Equatable {
    case none, circle(Double), text(String), both(Int, String)
}

/// The storage of a future, in its three words or outside.
@Suite(.offPool) struct FutureStorageTests {
    private func check<Value: Sendable & Equatable>(
        _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let promise = Promise<Value, Boom>()
        let mapped = promise.future.map(on: .immediate) { [$0, $0] }
        let failed = Promise<Value, Boom>()
        promise.succeed(value)
        failed.fail(Boom(code: 7))
        #expect(promise.future.result == .success(value), sourceLocation: sourceLocation)
        #expect(mapped.result == .success([value, value]), sourceLocation: sourceLocation)
        #expect(failed.future.result == .failure(Boom(code: 7)), sourceLocation: sourceLocation)
        let chained = promise.future.flatMap(on: .immediate) { Future<Value, Boom>(value: $0) }
        #expect(chained.awaited(sourceLocation) == value, sourceLocation: sourceLocation)
    }

    @Test func valuesOfAllSizesAndAlignmentsAreKept() {
        check(1 as UInt8)
        check("a string of more than fifteen bytes")
        check(["a", "b"])
        check(Optional<String>.none)
        check(Optional("some"))
        check(Shape.both(1, "text of a length that needs memory"))
        check(Shape.none)
        check([1, 2, 3, 4] as SIMD4<Int64>)
        check(Aligned(wide: .init(repeating: 1.5), token: 9))
        check((0..<100).map { "\($0)" })
    }

    @Test func objectsAreReleasedWithTheirFuture() {
        let probe = Probe()
        do {
            let big = Future<(Probe.Token, String, String), any Error>(
                value: (probe.token(), "a", "b"))
            let small = Future<Probe.Token, Never>(value: probe.token())
            let derived = small.map(on: .immediate) { $0 }
            #expect(big.isSuccess && derived.isSuccess)
            #expect(probe.released == 0)
        }
        #expect(probe.released == 2)
    }

    @Test func aFutureOfNoPossibleResultStaysPending() {
        let never = Future<Never, Never>()
        let mapped = never.map(on: .immediate) { (_: Never) -> Int in }
        #expect(!never.isCompleted && !mapped.isCompleted)
        let failing = Future<Never, Boom>(error: Boom(code: 2))
        #expect(failing.promoteValue(to: String.self).result == .failure(Boom(code: 2)))
    }
}

extension Future {
    /// The value, in a test where there must be one.
    func awaited(
        within limit: Duration = .seconds(60), _ location: SourceLocation = #_sourceLocation
    ) -> Value? {
        do {
            return try self.await(timeout: limit)
        } catch {
            Issue.record("no value: \(error)", sourceLocation: location)
            return nil
        }
    }
}
