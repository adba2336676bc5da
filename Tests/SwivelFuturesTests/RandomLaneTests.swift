// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// P2 against chance: callbacks on random contexts, registered by several threads before, during and
/// after the completion, some of which wait, add others, or are held up or dropped.
@Suite(.offPool) struct RandomLaneTests {
    /// The fate of the callbacks of one future.
    private final class Log: Sendable {
        /// By context and registering thread: the numbers of those that ran, in order.
        let seen = Shared<[[Int]: [Int]]>([:])
        let inside = Counter()
        let overlaps = Counter()
        let twice = Counter()

        func run(_ key: [Int], _ number: Int, _ body: () -> Void) {
            if inside.add() != 1 { overlaps.add() }
            seen.update { $0[key, default: []].append(number) }
            body()
            inside.add(-1)
        }
    }

    @Test func callbacksRunOnceInOrderAndNeverOverlap() throws {
        var random = Seeded()
        let loops = [try Loop(), try Loop()]
        for _ in 0..<Machine.scaled(300) {
            let held = DispatchQueue(label: "test.held")
            held.suspend()
            let queue = serialQueue()
            let contexts: [any ExecutionContext] = [
                loops[0], loops[1], queue, .background, DispatchQueue.global(), .immediate, inline,
                held, AnyContext(loops[0]), loops[1].inheritingTaskLocals,
            ]
            // Equal ones have one order.
            let places = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]
            let (promise, log, probe) = (Promise<Int, Never>(), Log(), Probe())
            let seeds = (0..<3).map { _ in random.split() }
            let counts = Shared<[[Int]: Int]>([:])
            onThreads(4) { thread in
                if thread == 3 { return promise.succeed(1) }
                var random = seeds[thread]
                for number in 0..<40 {
                    let choice = random.below(contexts.count)
                    let key = [places[choice], thread]
                    counts.update { $0[key, default: 0] += 1 }
                    let (pause, token) = (random.below(3), probe.token())
                    promise.future.onSuccess(on: contexts[choice]) { _ in
                        log.run(key, number) {
                            for _ in 0..<pause * 50 { withExtendedLifetime(token) {} }
                        }
                    }
                    if number % 8 == 0 { _ = promise.future.map(on: contexts[choice]) { $0 } }
                }
            }
            func isComplete(without heldOnes: Bool) -> Bool {
                let (seen, counts) = (log.seen.value, counts.value)
                return counts.allSatisfy { key, count in
                    (heldOnes && key[0] == 7) || seen[key]?.count == count
                }
            }
            #expect(eventually { isComplete(without: true) })
            held.resume()
            #expect(eventually { isComplete(without: false) })
            for (key, numbers) in log.seen.value {
                #expect(numbers == numbers.sorted(), "context \(key[0]), thread \(key[1])")
            }
            #expect(log.overlaps.value == 0)
            #expect(eventually { probe.live == 0 })
        }
        loops.forEach { $0.shutdown() }
    }

    /// Callbacks that wait give up the lane, so that they may overlap: none is lost.
    @Test func callbacksThatWaitLoseNone() throws {
        var random = Seeded()
        let loops = [try Loop(), try Loop()]
        let contexts: [any ExecutionContext] = [
            loops[0], loops[1], serialQueue(), .background, .immediate, inline, dropping,
        ]
        for _ in 0..<Machine.scaled(200) {
            let (promise, probe) = (Promise<Int, Never>(), Probe())
            let expected = Counter()
            let seeds = (0..<2).map { _ in random.split() }
            onThreads(3) { thread in
                if thread == 2 { return promise.succeed(1) }
                var random = seeds[thread]
                for _ in 0..<20 {
                    let choice = random.below(contexts.count)
                    if choice != 6 { expected.add() }
                    let (waits, adds) = (random.below(4) == 0, random.below(4) == 0)
                    if adds && choice != 6 { expected.add() }
                    promise.future.onSuccess(
                        on: contexts[choice],
                        probe.work { _ in
                            if waits { Future<Int, Never>(on: loops[choice % 2]) { 1 }.await() }
                            if adds {
                                promise.future.onSuccess(on: contexts[choice], probe.work { _ in })
                            }
                        })
                }
            }
            #expect(eventually { probe.ran == expected.value })
            #expect(eventually { probe.live == 0 })
        }
        loops.forEach { $0.shutdown() }
    }
}
