// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

@Suite(.offPool) struct FutureRaceTests {
    /// `count`, or a tenth of it where a sanitizer watches.
    private static func rounds(_ count: Int) -> Int { Machine.isSanitized ? count / 10 : count }

    /// Eight threads complete each future, eight register callbacks and eight wait for it.
    ///
    /// All walk along the same futures, in batches, so that most of them meet at the same one.
    @Test func eightCompletersRegistrarsAndWaitersAgreeOnOneWinner() {
        let (batch, rounds) = (1_000, Self.rounds(40_000))
        let (wins, calls, broken) = (Counter(), Counter(), Counter())
        let probe = Probe()
        for _ in 0..<(rounds / batch) {
            let promises = (0..<batch).map { _ in Promise<Int, Never>() }
            let token = probe.token()
            onThreads(24) { thread in
                for (number, promise) in promises.enumerated() {
                    switch thread % 3 {
                    case 0:
                        let value = number * 24 + thread
                        if promise.trySucceed(value) {
                            wins.add()
                            if promise.future.result?.value != value { broken.add() }
                        }
                    case 1:
                        // A context that is not immediate uses the lane, on this thread all the same.
                        let context: any ExecutionContext = thread % 2 == 0 ? .immediate : inline
                        promise.future.onComplete(on: context) { result in
                            withExtendedLifetime(token) { _ = calls.add() }
                            if (result.value ?? -1) / 24 != number { broken.add() }
                        }
                    default:
                        let value = promise.future.await()
                        if value / 24 != number || promise.future.result?.value != value {
                            broken.add()
                        }
                    }
                }
            }
        }
        #expect(eventually { calls.value == 8 * rounds })
        #expect(wins.value == rounds)
        #expect(broken.value == 0)
    }

    /// Looks along a chain while it is completed, or dropped, link by link.
    @Test func whatAFutureNeedsMayBeAskedWhileItCompletes() {
        let queue = serialQueue()
        for round in 0..<Self.rounds(200) {
            let kept = Shared<Promise<Int, any Error>?>(Promise())
            var future = kept.value?.future ?? Future()
            for link in 0..<12 {
                switch link % 4 {
                case 0: future = future.map(on: queue) { $0 + 1 }
                case 1: future = future.map(on: .immediate) { $0 + 1 }
                case 2:
                    future = future.flatMap(on: queue) { Future(value: $0).map(on: queue) { $0 } }
                case 3 where link < 8: future = [future].fold(on: queue, 0, +)
                default: future = future.delay(.zero, on: queue)
                }
            }
            let last = future
            onThreads(3) { thread in
                if thread == 0 {
                    if round % 4 == 0 { kept.value = nil } else { kept.value?.succeed(0) }
                } else {
                    while !last.isCompleted { _ = last.contextsNeeded }
                }
            }
            #expect(last.isAbandoned || last.result?.value == 6)
        }
    }

    /// Links of a chain, made by several threads in any order, while what leads it completes.
    @Test func linksMayBeMadeWhileWhatLeadsCompletes() {
        var random = Seeded()
        for _ in 0..<Self.rounds(400) {
            let chain = (0..<65).map { _ in Promise<Int, Boom>() }
            let derived = chain.map { $0.future.map(on: .immediate) { $0 + 1 } }
            let order = Array(1..<65).shuffled(using: &random)
            onThreads(5) { thread in
                if thread == 4 { return chain[0].succeed(0) }
                for index in order[thread * 16..<thread * 16 + 16] {
                    chain[index].complete(with: derived[index - 1])
                }
            }
            #expect(derived.map(\.result) == (0..<65).map { .success($0 + 1) })
        }
    }
}

extension Future {
    /// The result, as soon as it is there.
    var awaitedResult: Result<Value, Failure> {
        do throws(Failure) {
            return .success(try self.await())
        } catch {
            return .failure(error)
        }
    }
}
