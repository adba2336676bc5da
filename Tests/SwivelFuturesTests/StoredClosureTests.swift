// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// Closures that come out of arrays and generic structs carry a thunk, which an optimized build has
/// to release as often as any other: once. (What is released too often crashes, or is counted.)
@Suite(.offPool) struct StoredClosureTests {
    private struct Box<Value: Sendable>: Sendable {
        let value: Value
    }

    private let probe = Probe()

    @Test func loopsReleaseThemOnce() throws {
        let loop = try Loop()
        for _ in 0..<200 {
            let token = probe.token()
            let list: [@Sendable () -> Void] = [{ withExtendedLifetime(token) {} }]
            let box = Box<@Sendable () -> Void>(value: { withExtendedLifetime(token) {} })
            let ticks: [@Sendable (Tick) -> Void] = [{ _ in withExtendedLifetime(token) {} }]
            loop.execute(list[0])
            loop.execute(box.value)
            #expect(loop.tryExecute(list[0]))
            loop.schedule(after: .zero, list[0])
            loop.schedule(after: .microseconds(1), leeway: .microseconds(1), box.value)
            loop.schedule(at: loop.now, list[0])
            #expect(loop.schedule(after: .seconds(3_600), box.value).cancel() == .cancelled)
            #expect(loop.schedule(every: .seconds(3_600), ticks[0]).cancel() == .cancelled)
            loop.once("stored", after: .seconds(3_600), list[0])
            #expect(loop.once("stored", after: .seconds(3_600), box.value).cancel() == .cancelled)
            LoopTimer(on: loop, list[0]).arm(after: .seconds(3_600))
            Coalescer(on: loop, after: .seconds(3_600), box.value).call()
        }
        loop.shutdown()
        #expect(probe.released == 200)
    }

    @Test func futuresReleaseThemOnce() throws {
        let loop = try Loop()
        for number in 0..<200 {
            let token = probe.token()
            let list: [@Sendable (Int) -> Int] = [{ $0 + (withExtendedLifetime(token) { 1 }) }]
            let box = Box<@Sendable (Int) -> Int>(value: {
                $0 - (withExtendedLifetime(token) { 1 })
            })
            let ends: [@Sendable (Result<Int, Never>) -> Void] = [
                { _ in withExtendedLifetime(token) {} }
            ]
            let promise = Promise<Int, Never>()
            let future = promise.future.map(on: .immediate, list[0]).map(on: .immediate, box.value)
                .map(on: loop, list[0]).map(on: loop, box.value)
            future.onComplete(on: .immediate, ends[0])
            promise.succeed(number)
            #expect(future.await() == number)
        }
        loop.shutdown()
        #expect(Probe.settle() && probe.released == 200)
    }
}
