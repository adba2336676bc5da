// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// P4: dropping the duty to complete a future fails the future if its failure can say so. If it
/// cannot, a wait stops the program. No wait lasts forever.
@Suite(.offPool) struct AbandonmentTests {
    @Test func aDroppedPromiseFailsItsFuture() {
        #expect({ Promise<Int, any Error>().future }().isAbandoned)
        #expect({ Promise<Int, SwivelError>().future }().isAbandoned)
        #expect(
            { Promise<Int, FutureError<Boom>>().future }().result == .failure(.abandoned))
        #expect({ Promise<Void, any Error>().future }().isAbandoned)
    }

    @Test func theErrorNamesTheLineThatMadeThePromise() {
        let future = { Promise<Int, SwivelError>(file: "M/F.swift", line: 77).future }()
        #expect(future.result?.error?.message.contains("M/F.swift:77") == true)
    }

    @Test func aDroppedResolverFailsTheFuture() {
        #expect(Future<Int, any Error> { _ in }.isAbandoned)
        #expect(Future<Int, SwivelError> { _ in }.isAbandoned)
        #expect(Future<Int, FutureError<Never>> { _ in }.result == .failure(.abandoned))
        #expect(Future<Int, Boom> { _ in }.result == nil)
    }

    /// Also for a wait that does not wait, with which code polls.
    @Test(arguments: [Duration.zero, .milliseconds(-1), .milliseconds(1)])
    func aWaitWithATimeoutNamesTheEnd(timeout: Duration) {
        let dropped = Future<Int, Boom> { _ in }
        #expect(throws: FutureError<Boom>.abandoned) { try dropped.await(timeout: timeout) }
        let promise = Promise<Int, Boom>()
        #expect(throws: FutureError<Boom>.timedOut) {
            try promise.future.await(timeout: timeout)
        }
        promise.succeed(1)
    }

    @Test func whatDerivesFromADroppedFutureFailsAndReleasesItsClosures() {
        let probe = Probe()
        let pending = {
            let start = Future<Int, Never>()
            return (
                Future<Int, Boom>().mapError(on: .immediate, probe.work { $0 as any Error }),
                start.filter(probe.work { $0 > 0 }),
                [start].sequence().promoteError(to: SwivelError.self),
                all(Future<Int, Never>(value: 1), start).promoteError(to: (any Error).self),
                [start].firstCompleted().promoteError(to: (any Error).self),
                [start].fold(on: .immediate, 0, +).promoteError(to: (any Error).self),
                [start].find(on: .immediate, probe.work { $0 > 0 }),
                start.map(on: .background, probe.work { $0 }).promoteError(to: (any Error).self)
            )
        }()
        #expect(pending.0.isAbandoned && pending.2.isAbandoned && pending.3.isAbandoned)
        #expect(pending.1.result == .failure(.abandoned))
        #expect(pending.4.isAbandoned && pending.5.isAbandoned)
        #expect(pending.6.result == .failure(.abandoned))
        #expect(pending.7.isAbandoned)
        #expect(probe.ran == 0 && probe.released == 4)
    }

    @Test func aContextThatDropsWorkFailsTheFuture() {
        let probe = Probe()
        let source = Future<Int, any Error>(value: 1)
        #expect(source.map(on: dropping, probe.work { $0 }).isAbandoned)
        #expect(source.flatMap(on: dropping, probe.work { Future(value: $0) }).isAbandoned)
        #expect(Future<Int, SwivelError>(on: dropping, probe.work { 1 }).isAbandoned)
        #expect(dropping.submit(probe.work { Result<Int, SwivelError>.success(1) }).isAbandoned)
        let kept = QueueContext()
        let late = source.map(on: kept, probe.work { $0 })
        #expect(late.result == nil)
        kept.dropNext()
        #expect(late.isAbandoned)
        #expect(probe.ran == 0 && probe.released == 5)
    }

    @Test func aLoopThatIsShutDownWithWorkQueuedFailsTheFuture() throws {
        let loop = try manualLoop()
        let probe = Probe()
        let source = Future<Int, any Error>(value: 1)
        let futures = [
            source.map(on: loop, probe.work { $0 }),
            loop.submit(probe.work { Result<Int, any Error>.success(1) }),
            source.delay(.seconds(1), on: loop),
            [source].fold(on: loop, 0) { $0 + $1 },
            source.map(on: loop) { $0 }.map(on: loop, probe.work { $0 }),
        ]
        #expect(futures.allSatisfy { $0.result == nil })
        loop.shutdown()
        #expect(futures.allSatisfy { $0.isShutDown })
        #expect(probe.ran == 0 && probe.released == 3)
    }

    @Test func aShutdownIsRememberedDownAChain() throws {
        let loop = try Loop()
        loop.shutdown()
        let ended = Future<Int, Never>(on: loop) { 1 }
        let chained = ended.map(on: .immediate) { $0 }.map(on: .background) { $0 }
        #expect(chained.result == nil)
        #expect(chained.promoteError(to: (any Error).self).isShutDown)
        #expect(chained.timeout(.seconds(1)).result == .failure(.shutdown))
        #expect(InvalidationToken().guarding(chained).result == .failure(.shutdown))
    }

    @Test func aPromiseWhoseErrorCannotSaySoTrapsInDebugWhenItIsDropped() async throws {
        let own = try await #require(
            processExitsWith: Machine.isDebug ? .failure : .success, observing: standardError
        ) {
            _ = Promise<Int, Boom>(file: "M/F.swift", line: 78)
        }
        #expect(!Machine.isDebug || printed("M/F.swift:78", own))
        let never = try await #require(
            processExitsWith: Machine.isDebug ? .failure : .success, observing: standardError
        ) {
            _ = Promise<Int, Never>(file: "M/F.swift", line: 79)
        }
        #expect(!Machine.isDebug || printed("M/F.swift:79", never))
    }

    @Test func aBlockedWaiterIsStoppedWhenNobodyWillCompleteTheFuture() async throws {
        let before = try await #require(processExitsWith: .failure, observing: standardError) {
            exitTest { Future<Int, Never> { _ in }.await() }
        }
        #expect(printed("a wait that would never end", before))
        let during = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let loop = try manualLoop()
                let future = Future<Int, Never>(on: loop) { 1 }
                let waiter = TestThread { future.await() }
                loop.shutdown()
                waiter.join()
            }
        }
        #expect(printed("a wait that would never end", during))
        #expect(printed("its context has refused it (shutdown: ", during))
        #expect(printed("any Error or FutureError", during))
    }

    @Test func aSuspendedWaiterIsStoppedWhenNobodyWillCompleteTheFuture() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try await suspendingExitTest {
                let kept = QueueContext()
                let future = Future<Int, Boom>(on: kept) { 1 }
                Task { kept.dropNext() }
                print(try await future.value)
            }
        }
        #expect(printed("a wait that would never end", result))
    }

    /// A wait with a limit can say so, whatever the future's own error is, and however far off the
    /// limit is.
    @Test(arguments: [Duration.seconds(30), .seconds(Int64.max)])
    func aWaitWithALimitTellsThatThereWillBeNoResult(limit: Duration) {
        let token = InvalidationToken()
        let promise = Promise<Int, Boom>()
        let later = promise.future.map(on: token.context(.immediate)) { $0 }
        let waiter = TestThread {
            #expect(throws: FutureError<Boom>.abandoned) {
                try later.await(timeout: limit)
            }
        }
        token.invalidate()
        promise.succeed(1)
        waiter.join()
        let infallible = Future<Int, Never>(value: 1).map(on: token.context(.immediate)) { $0 }
        #expect(throws: FutureError<Never>.abandoned) {
            try infallible.await(timeout: limit)
        }
    }
}
