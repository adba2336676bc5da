// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelCompat
import Testing

private enum Fault: Error, Equatable { case first }

/// What BrightFutures' own tests assert of results, errors and tokens, in its spelling.
@Suite struct BrightFuturesResultTests {
    @available(*, deprecated)
    @Test func errorsHaveTheirOldNames() {
        let error: BrightFuturesError<Fault> = .external(.first)
        #expect(error == .failed(.first))
        #expect(BrightFuturesError(external: Fault.first) == error)
        #expect(BrightFuturesError<Fault>.illegalState == .illegalState)
        #expect(BrightFuturesError<Fault>.invalidationTokenInvalidated == .invalidated)
        let never = Future<Int, BrightFuturesError<Never>>(error: .noSuchElement)
        let promoted: Future<Int, BrightFuturesError<Fault>> = never.promoteError()
        #expect(promoted.result == .failure(.noSuchElement))
    }

    @available(*, deprecated)
    @Test func resultsHaveTheirOldMembers() {
        let good = Result<Int, Fault>(value: 1)
        let bad = Result<Int, Fault>(error: .first)
        #expect(good.analysis(ifSuccess: { $0 + 1 }, ifFailure: { _ in 0 }) == 2)
        #expect(bad.analysis(ifSuccess: { $0 + 1 }, ifFailure: { _ in 0 }) == 0)
        #expect(Result<Result<Int, Fault>, Fault>.success(bad).flatten() == bad)
        #expect(
            Result<Future<Int, Fault>, Fault>.success(Future(value: 2)).flatten().result?.value == 2
        )
        #expect(good.flatMap { Future<Int, Fault>(value: $0) }.result == good)
        func unwrap<R: ResultProtocol>(_ result: R) -> Result<R.Value, R.Error> { result.result }
        #expect(unwrap(good) == good)
    }

    @available(*, deprecated)
    @Test func anInvalidatedTokenDropsCallbacks() {
        let token: any ManualInvalidationTokenType = InvalidationToken()
        let ran = Note<Int>(0)
        let p = Promise<Int, Fault>()
        let context = token.validContext(immediateExecutionContext)
        p.future.onSuccess(context) { _ in ran.update { $0 += 1 } }
        #expect(!token.isInvalid)
        token.invalidate()
        token.invalidate()
        p.success(1)
        #expect(token.isInvalid)
        #expect(ran.value == 0)
        #expect(token.future.error == .invalidationTokenInvalidated)
        let dropped = Future<Int, Fault>(value: 1).map(token.validContext) { $0 }
        let other = Future<Int, Fault>(value: 1).map(token.validContext()) { $0 }
        #expect(dropped.forced(.now() + .seconds(30)) == nil)
        #expect(other.forced(.now() + .seconds(30)) == nil)
        let valid = InvalidationToken()
        let seen = Note<Int>()
        Future<Int, Fault>(value: 3).onSuccess(valid.validContext) { seen.set($0) }
        #expect(seen.wait() == 3)
    }
}
