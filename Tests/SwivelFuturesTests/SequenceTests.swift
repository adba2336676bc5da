// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

@Suite(.offPool) struct SequenceTests {
    private func promises(_ count: Int) -> [Promise<Int, Boom>] {
        (0..<count).map { _ in Promise() }
    }

    @Test func sequenceHasAllValuesInListOrder() {
        let promises = promises(1000)
        let all = promises.map(\.future).sequence()
        for (number, promise) in promises.enumerated().shuffled() { promise.succeed(number) }
        #expect(all.result == .success(Array(0..<1000)))
    }

    @Test func theFirstErrorInListOrderDecides() {
        let promises = promises(4)
        let all = promises.map(\.future).sequence()
        let sum = promises.map(\.future).fold(on: .immediate, 0, +)
        promises[3].fail(Boom(code: 3))
        promises[1].fail(Boom(code: 1))
        #expect(all.result == nil && sum.result == nil)
        promises[0].succeed(0)
        #expect(all.result == .failure(Boom(code: 1)))
        #expect(sum.result == .failure(Boom(code: 1)))
        promises[2].succeed(2)
    }

    @Test func traverseRunsItsFunctionRightHereForEveryElement() {
        let seen = Shared<[Int]>()
        let promises = promises(3)
        let all = [0, 1, 2].traverse { number in
            seen.append(number)
            return promises[number].future
        }
        #expect(seen.value == [0, 1, 2])
        promises.reversed().forEach { $0.succeed(5) }
        #expect(all.result == .success([5, 5, 5]))
    }

    @Test func foldCombinesInListOrderOnItsContext() throws {
        let loop = try Loop()
        let probe = Probe()
        let futures = ["a", "b", "c"].map { Future<String, Boom>(value: $0) }
        let token = probe.token()
        let text = futures.fold(on: loop, "") {
            _ = token
            return $0 + $1 + (loop.isCurrent ? "+" : "-")
        }
        #expect(text.awaited() == "a+b+c+")
        #expect(futures.fold("", +).awaited() == "abc")
        loop.shutdown()
    }

    @Test func findStopsAtTheFirstMatchWhosePredecessorsAreKnown() {
        let promises = promises(4)
        let asked = Shared<[Int]>()
        let found = promises.map(\.future).find(on: .immediate) {
            asked.append($0)
            return $0 >= 1
        }
        promises[2].succeed(2)
        promises[1].succeed(1)
        #expect(found.result == nil)
        promises[0].succeed(0)
        #expect(found.result == .success(1))
        #expect(asked.value == [0, 1])
        promises[3].fail(Boom())
        #expect(found.result == .success(1))
    }

    @Test func findFailsWithAnErrorBeforeAMatchOrWithoutOne() {
        let (good, bad) = (Future<Int, Boom>(value: 1), Future<Int, Boom>(error: Boom(code: 5)))
        let isOne: @Sendable (Int) -> Bool = { $0 == 1 }
        #expect([bad, good].find(isOne).awaited(or: .failed(Boom(code: 5))))
        #expect([good, bad].find(isOne).awaited() == 1)
        #expect([good, good].find { $0 == 2 }.awaited(or: .noSuchElement))
    }

    @Test func firstCompletedIsTheFirstInTime() {
        let (values, errors) = (promises(3), promises(3))
        let (value, error) = (
            values.map(\.future).firstCompleted(), errors.map(\.future).firstCompleted()
        )
        values[1].succeed(1)
        errors[2].fail(Boom(code: 2))
        for promise in values + errors { promise.trySucceed(0) }
        #expect(value.result == .success(1))
        #expect(error.result == .failure(Boom(code: 2)))
    }

    @Test func firstCompletedOfNothingTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            _ = ([] as [Future<Int, Boom>]).firstCompleted()
        }
        #expect(printed("firstCompleted() of no futures", result))
    }

    @Test func resultsBecomeOneResult() {
        let good: [Result<Int, Boom>] = [.success(1), .success(2)]
        #expect(good.sequence() == .success([1, 2]))
        let bad: [Result<Int, Boom>] = [.success(1), .failure(Boom(code: 1)), .failure(Boom())]
        #expect(bad.sequence() == .failure(Boom(code: 1)))
    }

    @Test func allHasValuesOfSeveralTypes() {
        let (number, text) = (Promise<Int, Boom>(), Promise<String, Boom>())
        let flags = Promise<[Bool], Boom>()
        let everything = all(number.future, text.future, flags.future)
        flags.succeed([true])
        number.succeed(1)
        #expect(everything.result == nil)
        text.succeed("t")
        #expect(everything.result?.value?.0 == 1)
        #expect(everything.result?.value?.1 == "t")
        #expect(everything.result?.value?.2 == [true])
    }

    @Test func allFailsWithTheFirstErrorInListOrder() {
        let (number, text) = (Promise<Int, Boom>(), Promise<String, Boom>())
        let both = all(number.future, text.future)
        text.fail(Boom(code: 2))
        #expect(both.result == nil)
        number.fail(Boom(code: 1))
        #expect(both.result?.error == Boom(code: 1))
    }
}

extension Future {
    /// Whether it fails with `expected`.
    func awaited<E: Error & Equatable>(or expected: FutureError<E>) -> Bool
    where Failure == FutureError<E> {
        do {
            try self.await(timeout: .seconds(60))
            return false
        } catch .failed(let error) {
            return error == expected
        } catch {
            return false
        }
    }
}
