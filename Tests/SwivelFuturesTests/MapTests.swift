// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import Synchronization
import Testing

struct Boom: Error, Equatable { var code = 0 }

@Suite struct MapTests {
    @Test func mapTransformsTheValue() {
        let promise = Promise<Int, Never>()
        let text = promise.future.map(on: .immediate) { "\($0 + 1)" }
        #expect(text.result == nil)
        promise.succeed(1)
        #expect(text.result == .success("2"))
    }

    @Test func aMillionMapsResolveAndAreDropped() {
        let promise = Promise<Int, Never>()
        var future = promise.future
        for _ in 0..<1_000_000 { future = future.map(on: .immediate) { $0 + 1 } }
        promise.succeed(0)
        #expect(future.result == .success(1_000_000))
    }

    @Test func aMillionPendingMapsAreDropped() {
        var root: Future<Int, Never>? = Future<Int, Never>()
        var future = root!
        for _ in 0..<1_000_000 { future = future.map(on: .immediate) { $0 + 1 } }
        root = nil
        #expect(future.result == nil)
    }

    @Test func aLoopMaps() throws {
        let loop = try Loop()
        let x = loop.submit { 20 }.map(on: loop) { $0 + 1 }.map { $0 * 2 }
        #expect(x.await() == 42)
        let y: Future<Int, Boom> = loop.submit { () throws(Boom) in throw Boom() }
        #expect(throws: Boom.self) { try y.await() }
        loop.shutdown()
    }

    @Test func bigValues() {
        let f = Future<(Int, String, String), Never>(value: (1, "a", "b"))
        #expect(f.map(on: .immediate) { $0.2 }.result == .success("b"))
        #expect(f.1.result == .success("a"))
    }

    @Test func awaitingInTheBackground() {
        let f = Async<Int> { Async<Int> { 3 }.await() + 1 }
        #expect(f.await() == 4)
        #expect(all(f, Async<String>("x")).await() == (4, "x"))
    }

    @Test func suspending() async throws {
        let f = Async<Int> { 3 }
        #expect(await f.value == 3)
        let p = Promise<Int, any Error>()
        let q = p.future.timeout(.milliseconds(1))
        await #expect(throws: FutureError<any Error>.self) { try await q.value }
        p.succeed(1)
    }

    @Test func sequences() throws {
        let promises = (0..<1000).map { _ in Promise<Int, Boom>() }
        let all = promises.map(\.future).sequence()
        for (i, p) in promises.enumerated().shuffled() { p.succeed(i) }
        #expect(all.result == .success(Array(0..<1000)))
        let sum = try [Future<Int, Boom>(value: 2), .init(value: 3)].fold(0, +).await(
            timeout: .seconds(5))
        #expect(sum == 5)
    }

    @Test func droppedPromise() {
        let f = { Promise<Int, any Error>().future.map(on: .immediate) { $0 } }()
        #expect((f.result?.error as? SwivelError)?.code == .abandoned)
    }
}

final class Probe: Sendable {
    static let live = Atomic(0)
    let value: Int
    init(_ value: Int) { self.value = value; Self.live.wrappingAdd(1, ordering: .relaxed) }
    deinit { Self.live.wrappingSubtract(1, ordering: .relaxed) }
}

@Suite struct CapturingTests {
    @Test func capturesLiveUntilTheCallbackHasRun() {
        do {
            let promise = Promise<Int, any Error>()
            let p = Probe(5)
            let f = promise.future
            let a = f.map(on: .immediate) { $0 + p.value }
            let b = f.flatMap(on: .immediate) { v in Future<Int, any Error>(value: v + p.value) }
            let c = f.flatMap(on: .immediate) { v -> Result<Int, any Error> in .success(v + p.value)
            }
            let d = f.mapError(on: .immediate) { _ in Boom(code: p.value) }
            let e = f.recover(on: .immediate) { _ in p.value }
            let g = f.filter { $0 == p.value }
            let h = f.zip(a)
            let i = f.andThen(on: .immediate) { _ in _ = p.value }
            let seen = Atomic(0)
            f.onComplete(on: .immediate) {
                seen.wrappingAdd(($0.value ?? 0) + p.value, ordering: .relaxed)
            }
            f.onSuccess(on: .immediate) { seen.wrappingAdd($0 + p.value, ordering: .relaxed) }
            f.onFailure(on: .immediate) { _ in seen.wrappingAdd(1000 + p.value, ordering: .relaxed)
            }
            promise.succeed(1)
            #expect(a.result?.value == 6)
            #expect(b.result?.value == 6)
            #expect(c.result?.value == 6)
            #expect(d.result == .success(1))
            #expect(e.result == .success(1))
            #expect(g.result?.error != nil)
            #expect(h.result?.value?.1 == 6)
            #expect(i.isSuccess)
            #expect(seen.load(ordering: .relaxed) == 12)
        }
        #expect(Probe.live.load(ordering: .relaxed) == 0)
    }
}
