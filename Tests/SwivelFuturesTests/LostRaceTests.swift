// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// P6: a callback that has lost its race leaves nothing in a future that lives on.
@Suite(.offPool) struct LostRaceTests {
    private static let races = Machine.scaled(500_000, by: 5)

    /// Runs `race` many times against one future, and checks that the memory is as before. Each race
    /// left 160 bytes or more behind as long as its callback stayed in the list.
    private func checkThatNothingStays(
        sourceLocation: SourceLocation = #_sourceLocation, _ race: (Future<Int, any Error>) -> Void
    ) {
        #if os(Linux)
        let long = Promise<Int, any Error>()
        for _ in 0..<1_000 { race(long.future) }
        let before = Machine.trimmedPrivateBytes()
        for _ in 0..<Self.races { race(long.future) }
        let growth = Machine.trimmedPrivateBytes() - before
        #expect(growth < Self.races * 32, "\(growth) bytes", sourceLocation: sourceLocation)
        long.succeed(1)
        #endif
    }

    @Test(.enabled(if: !Machine.isSanitized))
    func aLostFirstCompletedLeavesNothing() {
        checkThatNothingStays { long in
            #expect([long, Future(value: 2), long].firstCompleted().result?.value == 2)
            let late = Promise<Int, any Error>()
            let first = [long, late.future].firstCompleted()
            late.succeed(3)
            #expect(first.result?.value == 3)
        }
    }

    @Test(.enabled(if: !Machine.isSanitized)) func aPassedLimitLeavesNothing() throws {
        let loop = try manualLoop()
        checkThatNothingStays { long in
            let limited = long.timeout(.milliseconds(1), on: loop)
            loop.advance(by: .milliseconds(1))
            #expect(limited.isFailure)
        }
        loop.shutdown()
    }

    @Test(.enabled(if: !Machine.isSanitized)) func aGuardedFutureLeavesNothingInItsToken() {
        let token = InvalidationToken()
        checkThatNothingStays { _ in
            let request = Promise<Int, any Error>()
            let guarded = token.guarding(request.future)
            request.succeed(1)
            #expect(guarded.isSuccess)
        }
        checkThatNothingStays { long in
            let ended = InvalidationToken()
            let guarded = ended.guarding(long)
            ended.invalidate()
            #expect(guarded.isFailure)
        }
    }

    @Test(.enabled(if: !Machine.isSanitized)) func aCancelledWaitLeavesNothing() async throws {
        #if os(Linux)
        let long = Promise<Int, any Error>()
        let loop = try threadedLoop()
        func race(_ times: Int) async {
            for _ in 0..<times {
                let task = Task(executorPreference: loop.taskExecutor) {
                    try await long.future.value
                }
                // Behind the task's job: the task waits.
                await withCheckedContinuation { waits in loop.execute { waits.resume() } }
                task.cancel()
                #expect(await task.result.isCancelled)
            }
        }
        await race(1_000)
        let before = Machine.trimmedPrivateBytes()
        let races = Machine.scaled(200_000)
        await race(races)
        let growth = Machine.trimmedPrivateBytes() - before
        #expect(growth < races * 32, "\(growth) bytes")
        long.succeed(1)
        await loop.shutdown()
        #endif
    }

    /// Limits, results and a future that dies, from several threads.
    @Test func leavingRacesCompletionAndTheEnd() {
        let rounds = Machine.scaled(20_000)
        let done = Counter()
        for round in 0..<rounds {
            let kept = Shared<Promise<Int, any Error>?>(Promise())
            let rivals = (0..<3).map { _ in Promise<Int, any Error>() }
            let future = kept.value?.future ?? Future()
            let races = rivals.map { [future, $0.future].firstCompleted() }
            for race in races { race.onComplete(on: .immediate) { _ in done.add() } }
            onThreads(3) { thread in
                switch thread {
                case 0: rivals[0].succeed(1)
                case 1: rivals[1].succeed(1)
                default:
                    if round % 2 == 0 { kept.value?.succeed(2) } else { kept.value = nil }
                }
            }
            rivals[2].succeed(3)
            #expect(races.allSatisfy { $0.isCompleted })
        }
        #expect(done.value == 3 * rounds)
    }
}

extension Result {
    /// Whether the error says that a wait was cancelled.
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}
