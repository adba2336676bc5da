// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelSimulation
import Testing

/// Swivel's own contexts, timers, futures and jobs live in the world.
@Suite struct SwivelTests {
    @Test func aLoopOfTheWorldKeepsItsTime() async throws {
        let run = try await simulate(seed: 1) {
            let loop = try Loop(.init(name: "io"))
            let ticks = Box<[Duration]>([])
            let began = loop.now
            let timer = loop.schedule(every: .seconds(60)) { tick in
                ticks.value.append(began.duration(to: loop.now))
                if tick.index == 2 { tick.cancel() }
            }
            try await Task.sleep(for: .seconds(600))
            #expect(ticks.value == [.seconds(60), .seconds(120), .seconds(180)])
            #expect(timer.cancel() == .finished)
            #expect(loop.now == .now)
            await loop.shutdown()
        }
        #expect(run.elapsed == .seconds(600))
        #expect(run.escapes == [])
    }

    @Test func tasksOfALoopSleepInTheWorld() async throws {
        let run = try await simulate(seed: 2) {
            let loop = try Loop()
            let isOnLoop = await Task(executorPreference: loop.taskExecutor) {
                try? await Task.sleep(for: .seconds(5))
                return loop.isCurrent
            }.value
            #expect(isOnLoop)
        }
        #expect(run.elapsed == .seconds(5))
        #expect(run.escapes == [])
    }

    @Test(.simulated(seeds: 200, .verified)) func closuresOfAllPlacesRunHere() async throws {
        let loop = try Loop()
        let order = Box<[String]>([])
        let queue = DispatchQueue(label: "serial")
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        let all = Countdown(8)
        @Sendable func add(_ name: String, _ isThere: Bool = true) {
            #expect(World.isCurrent)
            #expect(isThere, "\(name)")
            order.value.append(name)
            all.count()
        }
        WorkerPool.shared.execute { add("pool") }
        loop.execute { add("loop", loop.isCurrent) }
        queue.execute { add("queue 1", queue.isCurrent) }
        queue.execute { add("queue 2", queue.isCurrent) }
        DispatchQueue.main.execute { add("main", DispatchQueue.main.isCurrent) }
        operations.execute { add("operation", operations.isCurrent) }
        DispatchQueue.global().execute { add("global") }
        queue.schedule(after: .seconds(3)) { add("timer", queue.isCurrent) }
        await all.wait()
        #expect(World.elapsed == .seconds(3))
        let names = order.value
        #expect(names.last == "timer")
        let first = try #require(names.firstIndex(of: "queue 1"))
        #expect(try first < #require(names.firstIndex(of: "queue 2")))
    }

    @Test func theOrderOfPlacesIsTheSeeds() async throws {
        var orders: Set<[Int]> = []
        for seed in UInt64(0)..<100 {
            let order = Box<[Int]>([])
            try await simulate(seed: seed) {
                let all = Countdown(3)
                for number in 0..<3 {
                    WorkerPool.shared.execute {
                        order.value.append(number)
                        all.count()
                    }
                }
                await all.wait()
            }
            orders.insert(order.value)
        }
        #expect(orders.count == 6)
    }

    @Test(.simulated(seeds: 300, .verified)) func futuresAndOperators() async throws {
        let doubled = Future(on: .background) { 21 }.map { $0 * 2 }
        #expect(await doubled.value == 42)
        let numbers = (1...4).map { Future<Int, Never>(value: $0, after: .seconds($0)) }
        let sum = await numbers.sequence().value.reduce(0, +)
        #expect(sum == 10)
        #expect(World.elapsed == .seconds(4))
        let text = Box("")
        let done = Countdown(1)
        Future<Int, Never>(value: 7) +>> { (number: Int) in
            text.value = "\(number)"
            done.count()
        }
        await done.wait()
        #expect(text.value == "7")
    }

    @Test(.simulated(seeds: 300, .verified)) func onceAndCoalescers() async throws {
        let loop = try Loop()
        let saves = Box(0)
        let coalescer = Coalescer(on: loop, after: .milliseconds(100)) { saves.value += 1 }
        for _ in 0..<5 {
            coalescer.call()
            try await Task.sleep(for: .milliseconds(30))
        }
        try await Task.sleep(for: .seconds(1))
        #expect(saves.value == 1)
        for _ in 0..<5 {
            loop.once("key", after: .milliseconds(50)) { saves.value += 10 }
            try await Task.sleep(for: .milliseconds(10))
        }
        try await Task.sleep(for: .seconds(1))
        #expect(saves.value == 11)
        await loop.shutdown()
    }

    @Test(.simulated(seeds: 300, .verified)) func timeoutsEndWhatTheyLimit() async throws {
        await #expect(throws: (any Error).self) {
            try await withTimeout(.seconds(2)) { try await Task.sleep(for: .seconds(60)) }
        }
        #expect(World.elapsed == .seconds(2))
        let value = try await withTimeout(.seconds(60)) {
            try await Task.sleep(for: .seconds(1))
            return 5
        }
        #expect(value == 5)
        #expect(World.elapsed == .seconds(3))
    }

    @Test(.simulated(seeds: 200)) func aBlockingWaitTakesStepsMeanwhile() async throws {
        let future = Future<Int, Never>(value: 7, after: .seconds(7))
        let result = await Task { Self.wait(for: future) }.value
        #expect(result == 7)
        #expect(World.elapsed == .seconds(7))
        let loop = try Loop()
        let done = Countdown(1)
        loop.execute {
            // On a loop, whose own timer ends the wait.
            #expect(Future<Int, Never>(value: 1, after: .seconds(1), on: loop).await() == 1)
            let late = Future<Int, Never>(value: 1, after: .seconds(60))
            #expect((try? late.await(timeout: .seconds(1))) == nil)
            done.count()
        }
        await done.wait()
        #expect(World.elapsed == .seconds(9))
    }

    @Test(.simulated(seeds: 100)) func aWaitOnALoopLetsOtherLoopsGoOn() async throws {
        let (one, other) = (try Loop(), try Loop())
        let promise = Promise<Int, Never>()
        let done = Countdown(3)
        one.execute {
            #expect(promise.future.await() == 7)
            #expect(one.isCurrent)
            done.count()
        }
        WorkerPool.shared.execute {
            // Maybe below the wait.
            #expect(Loop.current == nil)
            done.count()
        }
        other.execute {
            one.execute {}
            other.schedule(after: .seconds(1)) { promise.trySucceed(7) }
            done.count()
        }
        await done.wait()
    }

    @Test(.simulated(seeds: 50)) func aWaitOnAQueueHoldsItUp() async throws {
        let queue = DispatchQueue(label: "serial")
        let order = Box<[String]>([])
        let done = Countdown(2)
        queue.execute {
            Future<Int, Never>(value: 1, after: .seconds(1)).await()
            order.value.append("first")
            done.count()
        }
        queue.execute {
            order.value.append("second")
            done.count()
        }
        await done.wait()
        #expect(order.value == ["first", "second"])
    }

    @Test func threadsMayEndAWaitOrPostToALoop() async throws {
        let run = try await simulate(seed: 1) {
            let loop = try Loop()
            await withCheckedContinuation { continuation in
                Thread {
                    usleep(2000)
                    loop.execute { continuation.resume() }
                }.start()
            }
            let promise = Promise<Int, Never>()
            Thread {
                usleep(2000)
                promise.trySucceed(3)
            }.start()
            #expect(await Task { Self.wait(for: promise.future) }.value == 3)
        }
        #expect(run.end == .finished)
    }

    @Test(.simulated(seeds: 100)) func datesAreTheWorlds() async throws {
        let queue = DispatchQueue(label: "dates")
        let done = Countdown(1)
        let began = Date()
        queue.schedule(at: began.addingTimeInterval(90)) { done.count() }
        await done.wait()
        #expect(Date().timeIntervalSince(began) == 90)
    }

    private static func wait(for future: Future<Int, Never>) -> Int { future.await() }
}

/// Waits for a number of events.
final class Countdown: @unchecked Sendable {
    // because a world's thread alone uses it.
    private var left: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { left = count }

    func count() {
        left -= 1
        guard left == 0 else { return }
        waiting.forEach { $0.resume() }
        waiting = []
    }

    func wait() async {
        if left > 0 { await withCheckedContinuation { waiting.append($0) } }
    }
}
