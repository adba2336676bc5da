// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// P2: a callback that has not started delays no other one on another context, and no `map`; on each
/// context callbacks run in registration order; callbacks of one future never overlap.
@Suite(.offPool) struct LaneTests {
    private typealias Kind = TestPlace.Kind

    /// Runs `body` for each kind of context that is held up, and each other one that is not, until one
    /// pair fails: a failure takes a minute.
    private func forEachPair(_ body: (TestPlace, TestPlace) -> Bool) throws {
        for kind in Kind.allCases {
            for other in Kind.allCases where other != .loopThatIsGone && other != .dropping {
                // Such a thread runs nothing else either.
                if kind == .mainQueue && other == .mainQueue { continue }
                let (held, free) = (try TestPlace(kind), try TestPlace(other))
                let holds = body(held, free)
                held.close()
                free.close()
                try #require(holds, "\(kind), \(other)")
            }
        }
    }

    @Test func aCallbackThatHasNotStartedDelaysNoOtherContext() throws {
        try forEachPair { held, free in
            let promise = Promise<Int, any Error>()
            let (ran, heldRan) = (Gate(), Gate())
            promise.future.onSuccess(on: held.context) { _ in heldRan.open() }
            promise.future.onSuccess(on: free.context) { _ in ran.open() }
            _ = promise.future.map(on: free.context) { _ in ran.open() }
            held.hold(promise)
            // One that the thread of `held` is to run comes when that is free.
            let isSame = held.kind == .immediate && free.kind == .immediate
            var holds = isSame || free.wait(for: ran, times: 2)
            // Late ones too.
            promise.future.onSuccess(on: free.context) { _ in ran.open() }
            _ = promise.future.map(on: free.context) { _ in ran.open() }
            holds = holds && (isSame || free.wait(for: ran, times: 4))
            held.release()
            return holds && (!held.runs || held.wait(for: heldRan))
        }
    }

    /// P2, though `.global()` may make an object each time.
    @Test func callbacksOnAGlobalQueueKeepTheirOrder() {
        for round in 0..<2_000 {
            let promise = Promise<Int, Never>()
            let (order, ran) = (Shared<[Int]>(), Gate())
            for number in 0..<4 {
                promise.future.onComplete(on: DispatchQueue.global()) { _ in
                    order.append(number)
                    ran.open()
                }
            }
            promise.succeed(round)
            ran.wait(times: 4)
            #expect(order.value == [0, 1, 2, 3])
        }
    }

    @Test func aCallbackThatRunsHoldsUpNoContextAndNoMap() throws {
        try forEachPair { first, other in
            guard first.runs, first.kind != .manualLoop else { return true }
            let promise = Promise<Int, any Error>()
            let (isInside, go, ran, mapped) = (Gate(), Gate(), Gate(), Gate())
            let (inside, overlaps) = (Counter(), Counter())
            promise.future.onSuccess(on: first.context) { _ in
                inside.add()
                isInside.open()
                go.wait()
                inside.add(-1)
            }
            // A transformation that was registered before goes on; on `.immediate` it takes its turn.
            let isSame = first.kind == .immediate && other.kind == .immediate
            _ = promise.future.map(on: other.context) { _ in if !isSame { mapped.open() } }
            if isSame { mapped.open() }
            let completer = TestThread { promise.succeed(1) }
            isInside.wait()
            for _ in 0..<3 {
                promise.future.onSuccess(on: other.context) { _ in
                    if inside.add() != 1 { overlaps.add() }
                    inside.add(-1)
                    ran.open()
                }
            }
            // Its thread goes on, and so does a late transformation.
            _ = promise.future.map(on: other.context) { _ in mapped.open() }
            other.context.execute { mapped.open() }
            let goesOn = other.wait(for: mapped, times: 3)
            #expect(ran.opened == 0)
            go.open()
            let holds = goesOn && other.wait(for: ran, times: 3)
            #expect(overlaps.value == 0)
            completer.join()
            return holds
        }
    }

    /// A wait in a callback gives up the lane: it may be for a later callback of the same future.
    @Test func aCallbackMayWaitForALaterCallbackOfItsFuture() throws {
        try forEachPair { first, other in
            guard first.runs, first.kind != .manualLoop, first.kind != .mainQueue else {
                return true
            }
            let promise = Promise<Int, any Error>()
            let (later, done) = (Promise<Int, Never>(), Gate())
            promise.future.onSuccess(on: first.context) { _ in
                later.future.await()
                done.open()
            }
            promise.future.onSuccess(on: other.context) { later.trySucceed($0) }
            let completer = TestThread { promise.succeed(1) }
            let holds = other.wait(for: done)
            later.trySucceed(0)
            completer.join()
            return holds
        }
    }

    /// Both arrive while another one runs; one of them finds its context held up when it comes again.
    @Test func oneThatIsSentAgainAndDoesNotArriveDelaysNoOther() {
        let (lane, ran) = (OccupiedLane(on: .background), Gate())
        let (first, second) = (QueueContext(), QueueContext())
        lane.future.onSuccess(on: first) { _ in ran.open(10) }
        lane.future.onSuccess(on: second) { _ in ran.open() }
        #expect(first.runNext() && second.runNext())
        #expect(ran.opened == 0)
        lane.leave()
        first.waitForArrivals(2)
        second.waitForArrivals(2)
        #expect(second.runNext() && ran.opened == 1)
        #expect(first.runNext() && ran.opened == 11)
    }

    @Test func callbacksOfOneContextKeepTheirOrderWhateverArrivesFirst() {
        let (queue, lane) = (QueueContext(), OccupiedLane(on: .background))
        let seen = Shared<[Int]>()
        // The first one arrives, and is sent again behind those that are on their way.
        lane.future.onSuccess(on: queue) { _ in seen.append(0) }
        lane.future.onSuccess(on: AnyContext(queue)) { _ in seen.append(1) }
        lane.future.onSuccess(on: queue.inheritingTaskLocals) { _ in seen.append(2) }
        #expect(queue.runNext())
        lane.leave()
        queue.waitForArrivals(4)
        lane.future.onSuccess(on: queue) { _ in seen.append(3) }
        queue.runAll()
        #expect(seen.value == [0, 1, 2, 3])
    }

    /// Each waits in the lane; then their context drops them, one after the other.
    @Test func whatWaitsForTheLaneOnALoopThatEndsIsReleased() throws {
        let loop = try Loop()
        let (lane, probe) = (OccupiedLane(on: .immediate), Probe())
        for _ in 0..<20_000 { lane.future.onSuccess(on: loop, probe.work { _ in }) }
        loop.onThread {}
        loop.shutdown()
        lane.leave()
        #expect(eventually { probe.released == 20_000 })
        #expect(probe.ran == 0)
    }

    @Test func whatWaitsForTheLaneOnAContextThatRunsAtOnceNeedsNoStack() {
        let (lane, probe) = (OccupiedLane(on: .immediate), Probe())
        for number in 0..<20_000 {
            let context: any ExecutionContext =
                number % 2 == 0 ? inline : ImmediateContext.immediate
            lane.future.onSuccess(on: context, probe.work { _ in })
        }
        lane.leave()
        #expect(probe.ran == 20_000)
        #expect(eventually { probe.released == 20_000 })
    }

    @Test func immediateCallbacksHaveRunWhenTheCompletionReturns() throws {
        let loop = try Loop()
        for _ in 0..<500 {
            let (promise, seen) = (Promise<Int, Never>(), Shared<[Int]>())
            promise.future.onSuccess(on: loop) { _ in seen.append(0) }
            promise.future.onSuccess(on: .immediate) { _ in seen.append(1) }
            _ = promise.future.map(on: .immediate) { _ in seen.append(2) }
            promise.future.onSuccess(on: .background) { _ in seen.append(0) }
            promise.future.onSuccess(on: .immediate) { _ in seen.append(3) }
            promise.succeed(1)
            #expect(seen.value.prefix(3) == [1, 2, 3])
            #expect(eventually { seen.value.count == 5 })
        }
        loop.shutdown()
    }
}

/// The lane of a future while a callback on `context` runs in it.
private struct OccupiedLane {
    let future: Future<Int, Never>
    private let go = Gate()
    private let completer: TestThread

    init(on context: some ExecutionContext) {
        let (promise, isInside) = (Promise<Int, Never>(), Gate())
        future = promise.future
        future.onSuccess(on: context) { [go] _ in
            isInside.open()
            go.wait()
        }
        completer = TestThread(stackSize: 512 * 1024) { promise.succeed(1) }
        isInside.wait()
    }

    /// Lets the callback return.
    func leave() {
        go.open()
        completer.join()
    }
}
