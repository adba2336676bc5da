// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// A failure that is not observed can be reported. The observer is the process's, hence the exit tests.
@Suite struct UnobservedFailureTests {
    @Test func aFailureThatNobodyLooksAtIsTold() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let seen = Shared<[String]>()
                Future.onUnobservedFailure { failure in
                    seen.append(
                        "\(failure.error) \(failure.file.map { "\($0)" } ?? "-"):\(failure.line)")
                }
                async(file: "A.swift", line: 1) { throw Boom(code: 1) }
                require(eventually { seen.value.count == 1 }, "\(seen.value)")
                async(on: .background, file: "B.swift", line: 2) { throw Boom(code: 2) }
                require(eventually { seen.value.count == 2 }, "\(seen.value)")
                Promise<Int, Boom>(file: "C.swift", line: 3).fail(Boom(code: 3))
                _ = Future<Int, Boom>(error: Boom(code: 4)).map(on: .immediate) { $0 }
                _ = Future<[String], Boom>(value: [])
                let texts = [
                    "Boom(code: 1) A.swift:1", "Boom(code: 2) B.swift:2", "Boom(code: 3) C.swift:3",
                    "Boom(code: 4) -:0",
                ]
                require(seen.value == texts, "\(seen.value)")
            }
        }
    }

    @Test(.enabled(if: Machine.isDebug)) func anErrorOfDiscardedWorkIsReportedInDebugBuilds()
        async throws
    {
        let result = try await #require(processExitsWith: .success, observing: standardError) {
            try exitTest {
                let loop = try Loop()
                loop.submit(file: "A.swift", line: 1) { throw Boom(code: 1) }
                loop.submit(file: "B.swift", line: 2) { Result<Int, Boom>.failure(Boom(code: 2)) }
                loop.submit(after: .zero, file: "C.swift", line: 3) { throw Boom(code: 3) }
                async(file: "D.swift", line: 4) { throw Boom(code: 4) }
                loop.submit(file: "E.swift", line: 5) { throw Boom(code: 5) }
                    .onFailure(on: .immediate) { _ in }
                _ = loop.submit(file: "F.swift", line: 6) { throw Boom(code: 6) }.awaitedResult
                loop.shutdown(.drain(within: .seconds(60)))
                Async<Int> { 1 }.await()
            }
        }
        for (place, code) in [("A.swift:1", 1), ("B.swift:2", 2), ("C.swift:3", 3)] {
            #expect(printed("\(place): Swivel: the work submitted here", result))
            #expect(printed("Boom(code: \(code))", result))
        }
        #expect(!printed("E.swift:5", result) && !printed("F.swift:6", result))
    }

    // In the body of an exit test all lines have the number of its first one.
    private static func discardFutures() throws {
        let (loop, errors) = (try Loop(), Errors())
        let lost: @Sendable () throws(Boom) -> Int = { () throws(Boom) in throw Boom() }
        func expectReport(_ line: UInt = #line, of start: () -> Void) {
            start()
            let text = errors.line()
            let site = "SwivelFuturesTests/UnobservedFailureTests.swift:\(line): Swivel: "
            require(text.hasPrefix(site + "the work submitted here"), text)
        }
        expectReport { Future(on: loop) { throw Boom() } }
        expectReport { Future<Int, Boom>(on: loop, lost) }
        expectReport { Future<Int, Boom>(loop, lost) }
        expectReport { Future(WorkerPool.shared) { throw Boom() } }
        expectReport { Future { throw Boom() } }
        expectReport { Future<Int, Boom>(lost) }
        expectReport { Future { () async throws -> Int in throw Boom() } }
        expectReport { async { throw Boom() } }
        expectReport { async { () async throws -> Int in throw Boom() } }
        expectReport { loop.submit { throw Boom() } }
        expectReport { loop.submit { Result<Int, Boom>.failure(Boom()) } }
        loop.shutdown()
    }

    @Test(.enabled(if: Machine.isDebug)) func anErrorOfADiscardedFutureIsReportedInDebugBuilds()
        async
    {
        await #expect(processExitsWith: .success) {
            try exitTest {
                try Self.discardFutures()
            }
        }
    }

    @Test func anInvalidatedTokenIsNoFailure() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let reported = Counter()
                Future.onUnobservedFailure { _ in reported.add() }
                do {
                    let token = InvalidationToken()
                    token.invalidate()
                }
                require(reported.value == 0, "\(reported.value)")
            }
        }
    }

    @Test func whoeverLooksInAnyWayKeepsItSilent() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let reported = Counter()
                Future.onUnobservedFailure { _ in reported.add() }
                let make = { Future<Int, Boom>(error: Boom()) }
                _ = make().result
                _ = make().isFailure
                _ = try? make().await()
                _ = try? make().await(timeout: .seconds(1))
                make().onComplete(on: .immediate) { _ in }
                make().onSuccess(on: .background) { _ in }
                _ = make().recover(on: .immediate) { _ in 1 }
                _ = make().timeout(.seconds(1)).result
                let promise = Promise<Int, Boom>()
                promise.future.onFailure(on: .immediate) { _ in }
                promise.fail(Boom())
                let followed = Promise<Int, Boom>()
                followed.complete(with: make())
                _ = followed.future.result
                let waited = Promise<Int, Boom>()
                let waiter = TestThread { _ = try? waited.future.await() }
                waited.fail(Boom())
                waiter.join()
                require(reported.value == 0, "\(reported.value)")
            }
        }
    }

    @Test func nobodyIsToldBeforeOrAfterThereIsAnObserver() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let (reported, probe) = (Counter(), Probe())
                _ = Future<Int, Boom>(error: Boom())
                let note = probe.work { (_: UnobservedFailure) in _ = reported.add() }
                Future.onUnobservedFailure(note)
                Promise<Int, Boom>().fail(Boom())
                Future.onUnobservedFailure(nil)
                Promise<Int, Boom>().fail(Boom())
                require(reported.value == 1, "\(reported.value)")
            }
        }
    }
}
