// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// Waits that block, wherever they are.
@Suite(.offPool) struct WaitingTests {
    @Test func awaitReturnsTheValueOrThrowsTheError() {
        let sure = Future<Int, Never>(on: .background) { 1 }
        #expect(sure.await() == 1)
        let failing = Future<Int, Boom>(on: .background) { () throws(Boom) in throw Boom(code: 2) }
        do {
            try failing.await()
            Issue.record("no error")
        } catch {
            let boom: Boom = error
            #expect(boom == Boom(code: 2))
        }
    }

    /// B4: each blocking call has a form with a timeout.
    @Test func aWaitThatTakesTooLongEndsAndTheFutureStaysUsable() throws {
        let promise = Promise<Int, Boom>()
        for limit in [Duration.milliseconds(1), .zero, .seconds(-1)] {
            #expect(throws: FutureError<Boom>.timedOut) {
                try promise.future.await(timeout: limit)
            }
        }
        promise.succeed(1)
        #expect(try promise.future.await(timeout: .zero) == 1)
        let failed = Future<Int, Boom>(error: Boom(code: 3))
        #expect(throws: FutureError.failed(Boom(code: 3))) { try failed.await(timeout: .zero) }
    }

    /// A callback that waits for a later callback of the same future.
    @Test func aCallbackMayWaitForWhatDerivesFromItsOwnFuture() throws {
        let loop = try Loop()
        let contexts: [any ExecutionContext] = [
            .immediate, inline, loop, .background, DispatchQueue.global(),
        ]
        for outer in contexts {
            for inner in contexts {
                let promise = Promise<Int, Boom>()
                let future = promise.future
                let seen = Shared<[Int?]>()
                future.onComplete(on: outer) { _ in
                    seen.append(future.map(on: inner) { $0 + 1 }.awaited())
                }
                let later = future.map(on: inner) { $0 + 2 }
                future.onComplete(on: outer) { _ in seen.append(later.awaited()) }
                let last = future.map(on: outer) { $0 + 3 }
                promise.succeed(1)
                #expect(last.awaited() == 4)
                #expect(eventually { seen.value.count == 2 })
                #expect(seen.value.contains(2) && seen.value.contains(3))
            }
        }
        loop.shutdown()
    }
}

/// Waits that suspend.
@Suite struct SuspendingTests {
    @Test func valueAndGetReturnTheValueOrThrowTheError() async throws {
        let sure = Async<Int> { 1 }
        #expect(await sure.value == 1)
        #expect(await sure.get() == 1)
        let failing = Promise<Int, Boom>()
        let waiter = Task { () -> Boom? in
            do throws(Boom) {
                _ = try await failing.future.value
                return nil
            } catch {
                return error
            }
        }
        failing.fail(Boom(code: 4))
        #expect(await waiter.value == Boom(code: 4))
        await #expect(throws: Boom.self) { try await failing.future.get() }
    }

    @Test func cancellingTheTaskEndsTheWaitAndNotTheFuture() async {
        let any = Promise<Int, any Error>()
        let own = Promise<Int, SwivelError>()
        let wrapped = Promise<Int, FutureError<Boom>>()
        let anyWait = Task { try await any.future.value }
        let ownWait = Task { try await own.future.get() }
        let wrappedWait = Task { try await wrapped.future.value }
        anyWait.cancel()
        ownWait.cancel()
        wrappedWait.cancel()
        await #expect(throws: CancellationError.self) { try await anyWait.value }
        let error = await #expect(throws: SwivelError.self) { try await ownWait.value }
        #expect(error?.code == .cancelled)
        await #expect(throws: FutureError<Boom>.cancelled) { try await wrappedWait.value }
        #expect(!any.future.isCompleted && !own.future.isCompleted)
        any.succeed(1)
        own.succeed(2)
        wrapped.succeed(3)
        #expect(any.future.result?.value == 1 && wrapped.future.result == .success(3))
    }

    @Test func aCancelledTaskStillGetsAResultThatIsThere() async throws {
        let task = Task { () -> Int in
            while !Task.isCancelled { await Task.yield() }
            return try await Future<Int, any Error>(value: 6).value
        }
        task.cancel()
        #expect(try await task.value == 6)
    }

    @Test func aCancelledTaskWaitsOnWhereTheFailureCannotSaySo() async throws {
        let promise = Promise<Int, Boom>()
        let sure = Promise<Int, Never>()
        let task = Task { try await promise.future.value + sure.future.value }
        task.cancel()
        promise.succeed(1)
        sure.succeed(2)
        #expect(try await task.value == 3)
    }
}
