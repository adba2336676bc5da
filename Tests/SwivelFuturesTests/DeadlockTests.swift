// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// B5: a wait for what only the place that waits could do says so, with that place and its own line.
@Suite(.offPool) struct DeadlockTests {
    private static func expectTrap(_ place: String, _ result: ExitTest.Result?) {
        #expect(printed("await() waits forever", result))
        #expect(printed(place, result))
        #expect(printed("SwivelFuturesTests/DeadlockTests.swift:", result))
    }

    @Test func workOfTheSerialQueueThatWaits() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let queue = DispatchQueue(label: "test.own")
                queue.sync { print(queue.submit { 3 }.await()) }
            }
        }
        Self.expectTrap("the serial queue 'test.own'", result)
    }

    @Test func workOfTheQueueWhoseBarrierWaits() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let queue = DispatchQueue(label: "test.barrier")
                let done = Gate()
                queue.async(flags: .barrier) {
                    print(Async<Int>(queue) { 3 }.await())
                    done.open()
                }
                done.wait()
            }
        }
        Self.expectTrap("the serial queue 'test.barrier'", result)
    }

    /// The future's needs show only when the background has gone on.
    @Test func whatIsChainedToWorkOfTheQueueWhileItWaits() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let queue = DispatchQueue(label: "test.late")
                let promise = Promise<Int, Never>()
                let future = promise.future.flatMap(on: .immediate) { value in
                    queue.submit { value }
                }
                Loop.shared.schedule(after: .milliseconds(50)) { promise.succeed(1) }
                queue.sync { print(future.await()) }
            }
        }
        Self.expectTrap("the serial queue 'test.late'", result)
    }

    /// The known needs of a pending future, in all the ways in which one comes about.
    @Test func aFutureKnowsTheContextsThatItNeeds() throws {
        let (queue, loop, goOn) = (serialQueue(), try threadedLoop(), Gate())
        queue.suspend()
        loop.execute { goOn.wait() }
        let pending = Promise<Int, Boom>()
        let (start, later) = (pending.future, Duration.milliseconds(1))
        let needy: [any Checked] = [
            queue.submit { 1 },
            Async<Int>(queue) { 1 },
            Future<Int, Never>(on: queue) { 1 },
            async(on: queue) { 1 },
            queue.submit(after: later) { 1 },
            Future<Int, Boom>(value: 1, after: later, on: queue),
            start.map(on: queue) { $0 },
            start.flatMap(on: queue) { Future<Int, Boom>(value: $0) },
            start.flatMap(on: queue) { Result<Int, Boom>.success($0) },
            start.mapError(on: queue) { $0 },
            start.andThen(on: queue) { _ in },
            start.recover(on: queue) { _ in 1 },
            start.recover(on: queue) { _ in Future<Int, Boom>(value: 1) },
            start.filter(on: queue) { $0 > 0 },
            start.delay(later, on: queue),
            Future<Int, Boom>(value: 1).delay(later, on: queue),
            start.await(queue) { $0 },
            [start].fold(on: queue, 0, +),
            [start].find(on: queue) { $0 > 0 },
            Future<Int, Boom>(value: 1).map(on: queue) { $0 },
        ]
        for (index, future) in needy.enumerated() {
            #expect(names(future) == ["swivel.test"], "\(index)")
        }
        let onQueue = Future<Int, Boom>(on: queue) { 1 }
        let far: [any Checked] = [
            onQueue.map(on: loop) { $0 }.asVoid(),
            onQueue.zip(start),
            [Future(value: 1), onQueue].sequence(),
            all(onQueue, start),
            Future<Int, Boom>(value: 1).flatMap(on: .immediate) { _ in onQueue.map(on: loop) { $0 }
            },
            following(onQueue),
            Future<Future<Int, Boom>, Boom>(value: onQueue).flatten(),
            InvalidationToken().guarding(onQueue),
            InvalidationToken().guarding(
                InvalidationToken().guarding(onQueue).map(on: loop) { $0 }),
            [onQueue, onQueue.map(on: loop) { $0 }].firstCompleted(),
        ]
        for (index, future) in far.enumerated() {
            #expect(names(future) == ["swivel.test"], "\(index)")
        }
        let token = InvalidationToken()
        let free: [any Checked] = [
            start, loop.submit { 1 }, start.map(on: loop) { $0 }, onQueue.timeout(later, on: loop),
            [start, onQueue].firstCompleted(), start.zip(onQueue), Future<Int, Boom>(value: 1),
            token.guarding(onQueue),
        ]
        for (index, future) in free.enumerated() {
            #expect(names(future) == [], "\(index)")
        }
        #expect(names(onQueue.map(on: queue) { $0 }) == ["swivel.test", "swivel.test"])
        // A callback waits for none on another context.
        let done = Future<Int, Boom>(value: 1)
        done.onComplete(on: queue) { _ in }
        #expect(names(done.map(on: loop) { $0 }) == [])
        queue.resume()
        goOn.open()
        pending.succeed(1)
        #expect(eventually { needy.allSatisfy(\.isCompleted) })
        loop.shutdown()
    }

    /// A manual loop runs nothing by itself: debug builds report a wait for it. Delays note their
    /// loop in any build.
    @Test func aFutureOfAManualLoopNeedsItInDebugBuilds() throws {
        let loop = try manualLoop()
        let start = loop.submit { 1 }
        let futures: [any Checked] = [
            start, start.map(on: .immediate) { $0 }, start.zip(Async<Int> { 1 }),
            Async<Int>(value: 1, after: .seconds(1), on: loop),
            Async<Int>(value: 1).delay(.seconds(1), on: loop),
        ]
        for (index, future) in futures.enumerated() {
            let isNoted = Machine.isDebug || index >= 3
            #expect(names(future) == (isNoted ? ["Loop(test.manual)"] : []), "\(index)")
        }
        loop.advance(by: .seconds(1))
        for (index, future) in futures.enumerated() { #expect(names(future) == [], "\(index)") }
        loop.shutdown()
    }
}

/// The names of the contexts that the future is known to need.
private func names(_ future: any Checked) -> [String] {
    future.contextsNeeded.map { ($0 as? DispatchQueue)?.label ?? "\($0)" }
}

/// A promise's future that follows `other`.
private func following(_ other: Future<Int, Boom>) -> Future<Int, Boom> {
    let promise = Promise<Int, Boom>()
    promise.complete(with: other)
    return promise.future
}
