// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// P3: a chain of a million links neither overflows the stack nor leaks, on a thread with a stack of
/// 512 KB. Debug builds and sanitizers make do with a tenth, still far more than the stack has room for.
@Suite(.offPool) struct ChainTests {
    private static let links = Machine.scaled(1_000_000)
    private static let stack = 512 * 1024

    private func onSmallStack<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
        onThread(stackSize: Self.stack, body)
    }

    @Test func aMillionMapsResolveAndAreDropped() {
        let probe = Probe()
        let result = onSmallStack {
            let promise = Promise<Int, Boom>()
            var future = promise.future
            let token = probe.token()
            for _ in 0..<Self.links {
                future = future.map(on: .immediate) {
                    _ = token
                    return $0 + 1
                }
            }
            promise.succeed(0)
            return future.result
        }
        #expect(result == .success(Self.links))
    }

    @Test func aMillionLinksOfEveryKindPassAnErrorOn() {
        let result = onSmallStack {
            let promise = Promise<Int, Boom>()
            var future = promise.future
            for number in 0..<Self.links {
                switch number % 4 {
                case 0: future = future.map(on: .immediate) { $0 + 1 }
                case 1: future = future.flatMap(on: .immediate) { Future(value: $0) }
                case 2: future = future.andThen(on: .immediate) { _ in }
                default: future = future.mapError(on: .immediate) { Boom(code: $0.code + 1) }
                }
            }
            promise.fail(Boom())
            return future.result
        }
        #expect(result == .failure(Boom(code: Self.links / 4)))
    }

    /// A future that completes with another one, which completes with another one, and so on.
    @Test func aMillionNestedFlatMapsResolve() {
        @Sendable func count(_ number: Int, _ end: Int) -> Future<Int, Boom> {
            Future<Int, Boom>(value: number).flatMap(on: .immediate) {
                $0 == end ? Future(value: $0) : count($0 + 1, end)
            }
        }
        let result = onSmallStack { count(0, Self.links).result }
        #expect(result == .success(Self.links))
    }

    @Test func aMillionPromisesFollowOneAnother() {
        let result = onSmallStack {
            let first = Promise<Int, Boom>()
            var last = first
            for _ in 0..<Self.links {
                let next = Promise<Int, Boom>()
                last.complete(with: next.future)
                last = next
            }
            last.succeed(1)
            return first.future.result
        }
        #expect(result == .success(1))
    }

    @Test func aMillionPendingLinksAreDropped() {
        let probe = Probe()
        let result = onSmallStack {
            var source: Future<Int, Boom>? = Future()
            guard var future = source else { return Result<Int, Boom>?.some(.success(0)) }
            let token = probe.token()
            for number in 0..<Self.links {
                if number % 2 == 0 {
                    future = future.map(on: .immediate) { $0 + (token === token ? 1 : 0) }
                } else {
                    future = future.flatMap(on: .immediate) { Future(value: $0) }
                }
            }
            source = nil
            return future.result
        }
        #expect(result == nil)
    }

    @Test func aMillionPendingLinksThatCanSaySoFail() {
        let isAbandoned = onSmallStack {
            var promise: Promise<Int, any Error>? = Promise()
            guard var future = promise?.future else { return false }
            for _ in 0..<Self.links { future = future.map(on: .immediate) { $0 + 1 } }
            promise = nil
            return future.isAbandoned
        }
        #expect(isAbandoned)
    }

    @Test func aMillionLinksOnALoopThatIsShutDownEnd() throws {
        let loop = try Loop()
        loop.shutdown()
        let isShutDown = onSmallStack {
            let promise = Promise<Int, any Error>()
            var future = promise.future
            for _ in 0..<Self.links { future = future.map(on: loop) { $0 + 1 } }
            promise.succeed(0)
            return future.isShutDown
        }
        #expect(isShutDown)
    }
}
