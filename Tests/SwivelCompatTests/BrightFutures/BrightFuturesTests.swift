// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import Testing

private enum Fault: Error, Equatable { case first, second }

/// What BrightFutures' own tests assert of futures, in its spelling.
@Suite struct BrightFuturesTests {
    @available(*, deprecated)
    @Test func contextsRunWorkWhereTheySay() {
        let ran = Note<Int>(0)
        let contexts: [any ExecutionContext] = [
            immediateExecutionContext, ImmediateExecutionContext, maxStackDepthExecutionContext,
            MaxStackDepthExecutionContext,
        ]
        for context in contexts { context { ran.update { $0 += 1 } } }
        #expect(ran.value == 4)
        let queue = DispatchQueue(label: "compat")
        let onQueue = Note<Bool>()
        queue.context { onQueue.set(queue.isCurrent) }
        #expect(onQueue.wait())
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        let onOperations = Note<Bool>()
        operations.context.execute { onOperations.set(operations.isCurrent) }
        #expect(onOperations.wait())
        #expect(DefaultThreadingModel() is WorkerPool == (defaultContext() is WorkerPool))
    }

    @available(*, deprecated)
    @Test func typesAndDescriptionsHaveTheirOldNames() {
        let seen = Note<[Int]>([])
        let completion: Future<Int, Fault>.CompletionCallback = { result in
            seen.update { $0.append(result.value ?? 0) }
        }
        let success: Future<Int, Fault>.SuccessCallback = { number in
            seen.update { $0.append(number) }
        }
        let failure: Future<Int, Fault>.FailureCallback = { error in
            seen.update { $0.append(error == .first ? -1 : 0) }
        }
        Future<Int, Fault>(value: 1).onComplete(on: .immediate, completion)
            .onSuccess(on: .immediate, success)
        Future<Int, Fault>(error: .first).onFailure(on: .immediate, failure)
        #expect(seen.value == [1, 1, -1])
        let done = Future<NoValue, Fault>(error: .second)
        #expect(done.debugDescription == done.description)
        let sure = Future<Int, NoError>(value: 2)
        #expect(sure.debugDescription == "Future<Int, Never>(success(2))")
    }

    @available(*, deprecated)
    @Test func aSemaphoreIsAContextOfMutualExclusion() {
        let semaphore = DispatchSemaphore(value: 1)
        let (inside, most) = (Note<Int>(0), Note<Int>(0))
        let futures = (0..<20).map { number in
            Future<Int, Never>(value: number).map(semaphore.context) { number in
                inside.update { $0 += 1 }
                let now = inside.value
                most.update { $0 = max($0, now) }
                inside.update { $0 -= 1 }
                return number
            }
        }
        #expect(futures.sequence().forced() == .success(Array(0..<20)))
        #expect(most.value == 1)
    }

    @available(*, deprecated)
    @Test func immediateOnMainRunsOnTheMainQueue() async {
        let isOnMain = await MainActor.run {
            let ran = Note<Bool>(false)
            immediateOnMainExecutionContext { ran.set(true) }
            return ran.value
        }
        #expect(isOnMain)
    }

    @available(*, deprecated)
    @Test func promisesCompleteOnce() {
        let p = Promise<Int, Fault>()
        #expect(p.trySuccess(1))
        #expect(!p.trySuccess(2))
        #expect(!p.tryFailure(.first))
        #expect(!p.tryComplete(.success(3)))
        #expect(p.future.result == .success(1))
        let q = Promise<Int, Fault>()
        q.failure(.first)
        #expect(q.future.error == .first)
        let r = Promise<Int, Fault>()
        r.completeWith(q.future)
        #expect(r.future.isFailure)
        let s = Promise<Int, Fault>()
        s.complete(.success(4))
        #expect(s.future.isSuccess)
    }

    @available(*, deprecated)
    @Test func futuresAreMadeWithTheOldLabels() {
        #expect(Future<Int, Fault>(value: 1, delay: .milliseconds(1)).forced() == .success(1))
        #expect(Future<Int, Fault>(error: .first, delay: .milliseconds(1)).forced().error == .first)
        #expect(
            Future<Int, Fault>(result: .success(2), delay: .nanoseconds(0)).forced() == .success(2))
        #expect(Future<Int, Fault>(other: Future(value: 3)).forced() == .success(3))
        #expect(Future<Int, Fault>(resolver: { $0(.success(4)) }).forced() == .success(4))
        #expect(Async<Int>(result: 5).forced() == .success(5))
        #expect(Async<Int>(result: 6, delay: .milliseconds(1)).forced() == .success(6))
        #expect(Async<Int>(resolver: { complete in complete(7) }).forced() == .success(7))
        #expect(Async<Int>(resolver: { $0(.success(8)) }).forced() == .success(8))
    }

    @available(*, deprecated)
    @Test func forcedReturnsNilAtItsTimeLimit() {
        let never = Future<Int, Fault>()
        #expect(never.forced(.now() + .milliseconds(1)) == nil)
        #expect(Future<Int, Fault>(value: 1).forced(.now()) == .success(1))
    }

    @available(*, deprecated)
    @Test func delayedFuturesCompleteThoughTheThreadThatMadeThemIsBlocked() throws {
        let loop = try Loop()
        let completed = Note<Int>()
        loop.execute {
            let done = DispatchSemaphore(value: 0)
            let soon = DispatchTimeInterval.milliseconds(1)
            let futures = [
                Future<Int, Fault>(value: 1, delay: soon),
                Future<Int, Fault>(error: .first, delay: soon),
                Future<Int, Fault>(result: .success(2), delay: soon),
            ]
            for future in futures {
                future.onComplete(on: DispatchQueue.global()) { _ in done.signal() }
            }
            Async<Int>(result: 3, delay: soon).onComplete(on: DispatchQueue.global()) { _ in
                done.signal()
            }
            completed.set((0..<4).count { _ in done.wait(timeout: .now() + 5) == .success })
        }
        #expect(completed.wait() == 4)
        loop.shutdown()
    }

    @available(*, deprecated)
    @Test func delayCompletesLaterOnTheQueue() {
        let queue = DispatchQueue(label: "compat")
        let f = Future<Int, Fault>(error: .first).delay(queue, interval: .milliseconds(1))
        #expect(!f.isCompleted)
        #expect(f.forced() == .failure(.first))
        let after = Future<Int, Fault>(value: 1).delay(DispatchTimeInterval.milliseconds(0))
        #expect(after.forced() == .success(1))
    }

    @available(*, deprecated)
    @Test func callbacksTakeAContextWithoutALabel() {
        let queue = DispatchQueue(label: "compat")
        let notes = Note<[String]>([])
        let f = Future<Int, Fault>(value: 1)
        f.onSuccess(queue.context) { _ in notes.update { $0.append("success") } }
        f.onFailure(queue.context) { _ in notes.update { $0.append("failure") } }
        f.onComplete(queue.context) { _ in notes.update { $0.append("complete") } }
        f.onSuccess(queue.context, callback: { _ in notes.update { $0.append("callback") } })
        _ = f.andThen(context: queue.context) { _ in notes.update { $0.append("then") } }.forced()
        #expect(notes.value == ["success", "complete", "callback", "then"])
        let labelled = Note<Int>()
        f.onSuccess(callback: { labelled.set($0) })
        #expect(labelled.wait() == 1)
        let failed = Note<Fault>()
        Future<Int, Fault>(error: .first).onFailure(callback: { failed.set($0) })
        #expect(failed.wait() == .first)
        let complete = Note<Bool>()
        f.onComplete(callback: { complete.set($0.value == 1) })
        #expect(complete.wait())
    }

    @available(*, deprecated)
    @Test func combinatorsTakeAContextWithoutALabel() {
        let queue = DispatchQueue(label: "compat").context
        let f = Future<Int, Fault>(value: 1)
        let bad = Future<Int, Fault>(error: .first)
        #expect(f.map(queue) { $0 + 1 }.forced() == .success(2))
        #expect(f.map(queue, f: { $0 + 1 }).forced() == .success(2))
        #expect(f.flatMap(queue) { Future<Int, Fault>(value: $0 + 2) }.forced() == .success(3))
        #expect(
            f.flatMap(queue) { _ in Result<Int, Fault>.failure(.second) }.forced().error == .second)
        #expect(bad.mapError(queue) { _ in Fault.second }.forced().error == .second)
        #expect(bad.recover(context: queue) { _ in 5 }.forced() == .success(5))
        #expect(
            bad.recoverWith(context: queue) { _ in Future<Int, Never>(value: 6) }.forced()
                == .success(6))
        #expect(
            bad.recoverWith { _ in Future<Int, Fault>(error: .second) }.forced().error == .second)
    }

    @available(*, deprecated)
    @Test func sequencesTakeAContextWithoutALabel() {
        let queue = DispatchQueue(label: "compat").context
        let futures = (1...4).map { Future<Int, Fault>(value: $0) }
        #expect(futures.fold(queue, zero: 0, f: { $0 + $1 }).forced() == .success(10))
        #expect(futures.fold(0, f: { $0 + $1 }).forced() == .success(10))
        #expect(futures.find(queue, p: { $0 > 2 }).forced() == .success(3))
        #expect(futures.find { $0 > 9 }.forced() == .failure(.noSuchElement))
        let doubled = (1...3).traverse(queue, f: { Future<Int, Fault>(value: $0 * 2) })
        #expect(doubled.forced() == .success([2, 4, 6]))
        #expect(
            (1...2).traverse(f: { Future<Int, Fault>(value: $0) }).forced() == .success([1, 2]))
        #expect([Result<Int, Fault>.success(1), .failure(.first)].sequence() == .failure(.first))
        #expect(futures.firstCompleted().forced().value != nil)
    }

    @available(*, deprecated)
    @Test func queuesMakeFutures() {
        let queue = DispatchQueue(label: "compat")
        #expect(queue.asyncValue { queue.isCurrent }.forced() == .success(true))
        #expect(queue.asyncResult { Result<Int, Fault>.failure(.first) }.forced().error == .first)
        let before = DispatchTime.now()
        let time = queue.asyncValueAfter(before + .milliseconds(2)) { DispatchTime.now() }
        #expect(time.forced().value.map { $0 >= before + .milliseconds(2) } == true)
    }

    @available(*, deprecated)
    @Test func aFutureOfAnotherKnowsTheQueueThatThatOneNeeds() throws {
        let queue = DispatchQueue(label: "needed")
        queue.suspend()
        let future = Future(other: queue.submit { () throws(Fault) in 1 })
        #expect(future.contextsNeeded.map { ($0 as? DispatchQueue)?.label } == ["needed"])
        queue.resume()
        #expect(try future.await() == 1)
    }
}
