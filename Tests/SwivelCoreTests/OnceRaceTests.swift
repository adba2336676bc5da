// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// `once` and `Coalescer` from many threads: the last call wins, at most one is pending.
@Suite(.offPool) struct OnceRaceTests {
    private let probe = Probe()

    @Test(arguments: [0, 50])
    func oneIdIsCalledFromEverywhere(microseconds: Int) throws {
        let loop = try threadedLoop()
        for round in 0..<Machine.scaled(400) {
            let order = Shared<[Int]>()
            let handles = Shared<[TimerHandle]>()
            let done = Gate()
            onThreads(4) { [probe] thread in
                for call in 0..<20 {
                    handles.append(
                        loop.once(
                            "race", after: .microseconds(microseconds),
                            probe.work { order.append(thread * 100 + call) }))
                }
            }
            #expect(handles.value.filter(\.isPending).count <= 1)
            let last = loop.once(
                "race", after: .microseconds(microseconds),
                probe.work {
                    order.append(-1)
                    done.open()
                })
            guard done.wait() else { break }
            loop.onThread {}
            #expect(order.value.last == -1, "round \(round)")
            #expect(order.value.filter { $0 == -1 }.count == 1)
            #expect(Set(order.value).count == order.value.count, "each runs once at most")
            #expect(!last.isPending && !handles.value.contains { $0.isPending })
            #expect(loop.metrics.pending == 0)
        }
        #expect(probe.live == 0)
        loop.shutdown()
    }

    /// A coalescer called, flushed and cancelled from everywhere; its last call is not lost.
    @Test(arguments: [nil, 40] as [Int?])
    func aCoalescerIsCalledFromEverywhere(maxWait: Int?) throws {
        let loop = try threadedLoop()
        for _ in 0..<Machine.scaled(400) {
            let runs = Counter()
            let coalescer = Coalescer(
                on: loop, after: .microseconds(10),
                maxWait: maxWait.map { .microseconds($0) }, probe.work { runs.add() })
            onThreads(3) { thread in
                for number in 0..<20 {
                    coalescer.call()
                    if (number + thread) % 5 == 0 { coalescer.flush() }
                    if (number + thread) % 7 == 0 { coalescer.cancel() }
                }
            }
            let before = runs.value
            coalescer.call()
            let limit = SuspendingClock.now + .seconds(20)
            while coalescer.isPending && SuspendingClock.now < limit {}
            loop.onThread {}
            #expect(runs.value > before || before > 0)
            #expect(runs.value <= 61)
            coalescer.call()
            #expect(coalescer.cancel() || runs.value > 0)
            loop.onThread {}
            let after = runs.value
            busy(for: .microseconds(60))
            loop.onThread {}
            #expect(runs.value == after)
        }
        loop.shutdown()
    }

    /// `maxWait` holds however many threads call without a pause, on a loop and elsewhere.
    @Test(arguments: [1, 2, 4], [true, false])
    func aSeriesRunsWhileThreadsCallWithoutPause(threads: Int, onLoop: Bool) throws {
        let loop = try threadedLoop()
        let pool = WorkerPool(name: "test.pool", threads: 1)
        let (ran, id) = (Counter(), OnceKey(threads: threads, onLoop: onLoop))
        let call: @Sendable () -> TimerHandle = { [probe] in
            let work: @Sendable () -> Void = probe.work { ran.add() }
            return onLoop
                ? loop.once(id, after: .milliseconds(2), maxWait: .milliseconds(4), work)
                : pool.once(id, after: .milliseconds(2), maxWait: .milliseconds(4), work)
        }
        onThreads(threads) { _ in
            #expect(
                eventually(seconds: 60) {
                    _ = call()
                    return ran.value >= 10
                })
        }
        _ = call().cancel()
        loop.shutdown()
    }
}

private struct OnceKey: Hashable {
    let threads: Int
    let onLoop: Bool
}
