// SPDX-License-Identifier: Apache-2.0
import SwivelFutures
import SwivelTestSupport
import Testing

@Suite(.offPool) struct MaterializeTests {
    @Test func aHandlerOfAValueOrAnError() {
        let good: Future<Int, Boom> = materialize { (done: @Sendable (Int?, Boom?) -> Void) in
            done(1, nil)
        }
        let bad: Future<Int, Boom> = materialize { (done: @Sendable (Int?, Boom?) -> Void) in
            done(nil, Boom(code: 2))
        }
        let both: Future<Int, Boom> = materialize { (done: @Sendable (Int?, Boom?) -> Void) in
            done(1, Boom(code: 3))
        }
        #expect(good.result == .success(1))
        #expect(bad.result == .failure(Boom(code: 2)))
        #expect(both.result == .failure(Boom(code: 3)))
    }

    @Test func aHandlerOfAResultOfAValueAndOfAnError() {
        let result: Future<Int, Boom> = materialize {
            (done: @Sendable (Result<Int, Boom>) -> Void)
            in done(.success(4))
        }
        let value: Future<String, Never> = materialize { (done: @Sendable (String) -> Void) in
            done("v")
        }
        let error: Future<Void, Boom> = materialize { (done: @Sendable (Boom?) -> Void) in
            done(Boom(code: 5))
        }
        let none: Future<Void, Boom> = materialize { (done: @Sendable (Boom?) -> Void) in
            done(nil)
        }
        #expect(result.result == .success(4))
        #expect(value.result == .success("v"))
        #expect(error.result?.error == Boom(code: 5))
        #expect(none.isSuccess)
    }

    @Test func aHandlerCalledWithNeitherValueNorErrorTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            let future: Future<Int, Boom> = materialize {
                (done: @Sendable (Int?, Boom?) -> Void) in done(nil, nil)
            }
            print(future)
        }
        #expect(printed("neither a value nor an error", result))
        #expect(printed("SwivelFuturesTests/MaterializeTests.swift:", result))
    }

    @Test func aHandlerThatIsDroppedFailsTheFuture() {
        let future: Future<Int, any Error> = materialize {
            (_: @escaping @Sendable (Int?, (any Error)?) -> Void) in
        }
        #expect(future.isAbandoned)
    }
}
