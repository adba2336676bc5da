// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// Calls that derive one future from another.
@Suite(.offPool) struct TransformTests {
    private let value = Future<Int, Boom>(value: 4)
    private let error = Future<Int, Boom>(error: Boom(code: 9))

    @Test func flatMapTakesAResult() {
        let half: @Sendable (Int) -> Result<Int, Boom> = {
            $0 % 2 == 0 ? .success($0 / 2) : .failure(Boom(code: $0))
        }
        #expect(value.flatMap(on: .immediate, half).result == .success(2))
        let odd = Future<Int, Boom>(value: 3).flatMap(on: .immediate, half)
        #expect(odd.result == .failure(Boom(code: 3)))
        #expect(error.flatMap(on: .immediate, half).result == .failure(Boom(code: 9)))
    }

    @Test func mapErrorTransformsAnErrorAndPassesAValueOn() {
        struct Other: Error, Equatable { var text: String }
        let probe = Probe()
        let other = error.mapError(on: .immediate, probe.work { Other(text: "\($0.code)") })
        #expect(other.result == .failure(Other(text: "9")))
        let same = value.mapError(on: .immediate, probe.work { _ in Other(text: "") })
        #expect(same.result == .success(4))
        #expect(probe.ran == 1)
    }

    @Test func theDefaultIsEvaluatedOnlyForAnError() {
        let asked = Counter()
        let ask: @Sendable () -> Int = { asked.add() }
        let askLater: @Sendable () -> Future<Int, Boom> = { Future(value: asked.add()) }
        let (kept, replaced) = (value ?? ask(), error ?? ask())
        #expect(kept.result == .success(4) && replaced.result == .success(1))
        let (keptToo, replacedToo) = (value ?? askLater(), error ?? askLater())
        #expect(keptToo.result == .success(4) && replacedToo.result == .success(2))
        #expect(asked.value == 2)
    }

    @Test func zipHasBothValuesAndTheFirstOnesErrorFirst() {
        let (left, right) = (Promise<Int, Boom>(), Promise<String, Boom>())
        let both = left.future.zip(right.future)
        right.succeed("r")
        #expect(both.result == nil)
        left.succeed(1)
        #expect(both.result?.value?.0 == 1 && both.result?.value?.1 == "r")

        let (slow, quick) = (Promise<Int, Boom>(), Promise<Int, Boom>())
        let failing = slow.future.zip(quick.future)
        quick.fail(Boom(code: 2))
        #expect(failing.result == nil)
        slow.fail(Boom(code: 1))
        #expect(failing.result?.error == Boom(code: 1))
        #expect(value.zip(quick.future).result?.error == Boom(code: 2))
        let itself = value.zip(value)
        #expect(itself.result?.value?.0 == 4 && itself.result?.value?.1 == 4)
    }

    @Test func filterFailsWithNoSuchElement() {
        #expect(value.filter { $0 > 3 }.result == .success(4))
        #expect(value.filter { $0 > 4 }.result == .failure(.noSuchElement))
        #expect(error.filter { $0 > 4 }.result == .failure(.failed(Boom(code: 9))))
    }

    @Test func andThenKeepsTheResultAndDefinesAnOrder() {
        let seen = Shared<[Int]>()
        let queue = QueueContext()
        let last = value.andThen(on: queue) { _ in seen.append(1) }
            .andThen(on: .immediate) { _ in seen.append(2) }
        #expect(last.result == nil)
        queue.runAll()
        #expect(last.result == .success(4))
        #expect(seen.value == [1, 2])
        #expect(error.andThen(on: .immediate) { _ in }.result == .failure(Boom(code: 9)))
    }

    @Test func promotedFuturesHaveTheResultUnderAnotherType() {
        let sure = Future<Int, Never>(value: 2)
        let promoted: Future<Int, Boom> = sure.promoteError()
        #expect(promoted.result == .success(2))
        #expect(sure.promoteError(to: SwivelError.self).result == .success(2))
        let failing = Future<Never, Boom>(error: Boom(code: 3))
        #expect(failing.promoteValue(to: [Int].self).result == .failure(Boom(code: 3)))
        let late = Promise<Int, Never>()
        let lateToo: Future<Int, any Error> = late.future.promoteError()
        late.succeed(1)
        #expect(lateToo.result?.value == 1)
    }

    @Test func debugLogsBeforeTheFutureItReturnsCompletes() {
        let log = Shared<[String]>()
        let promise = Promise<Int, Boom>()
        let logged = promise.future.debug("five") { log.append($0) }
        let unnamed = promise.future.debug(file: "M/F.swift", line: 12) { log.append($0) }
        #expect(log.value.isEmpty)
        promise.succeed(1)
        #expect(log.value == ["Future five completed", "Future at M/F.swift:12 completed"])
        #expect(logged.result == .success(1) && unnamed.result == .success(1))
    }

    @Test func resultsBecomeFutures() {
        let (good, bad) = (Result<Int, Boom>.success(1), Result<Int, Boom>.failure(Boom(code: 2)))
        #expect(good.flatMap { Future<String, Boom>(value: "\($0)") }.result == .success("1"))
        let failed = bad.flatMap { Future<String, Boom>(value: "\($0)") }
        #expect(failed.result == .failure(Boom(code: 2)))
    }

    @Test func everyTransformReleasesItsClosureAndRunsOnItsContext() throws {
        let loop = try Loop()
        for context in [loop, .background, serialQueue(), .immediate] as [any ExecutionContext] {
            let probe = Probe()
            let promise = Promise<Int, Boom>()
            let start = promise.future
            let all: [any Checked] = [
                start.map(on: context, probe.work { $0 }),
                start.flatMap(on: context, probe.work { Future<Int, Boom>(value: $0) }),
                start.flatMap(on: context, probe.work { Result<Int, Boom>.success($0) }),
                start.mapError(on: context, probe.work { (_: Boom) in Boom() }),
                start.recover(on: context, probe.work { (_: Boom) in 0 }),
                start.recover(on: context, probe.work { (_: Boom) in Future<Int, Boom>(value: 1) }),
                start.filter(on: context, probe.work { $0 > 0 }),
                start.andThen(on: context, probe.work { _ in }),
                start.await(context, probe.work { $0 }),
            ]
            start.onComplete(on: context, probe.work { _ in })
            start.onSuccess(on: context, probe.work { _ in })
            start.onFailure(on: context, probe.work { _ in })
            promise.succeed(5)
            #expect(eventually { all.allSatisfy(\.isCompleted) })
            #expect(eventually { probe.released == 12 })
            #expect(probe.ran == 8)
        }
        loop.shutdown()
    }
}
