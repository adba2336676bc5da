// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// Time waits for the tasks that it has woken.
@Suite struct FollowedTaskTests {
    /// No test here may be carried by the end of its loop's patience.
    private static let forAges = Duration.seconds(1_000_000)

    /// Where a task goes between two sleeps.
    enum Way: CaseIterable, Sendable {
        case nowhere, computing, yielding, anActor, childTasks, otherTasks, anotherTask, mainActor
        case aPool, theLoop, anActorOfTheLoop, aBlockingWait
    }

    private actor Meter {
        private var value = 0

        func add(slowly: Bool = false) async {
            value += 1
            if slowly { await Task.yield() }
        }
    }

    /// A task that sleeps again and again sees each of its instants, wherever it goes in between.
    @Test(arguments: Way.allCases) func noSleepIsPassedOver(_ way: Way) async throws {
        let loop = try Loop.manual(patience: Self.forAges)
        let walk = try Walk(way, on: loop)
        let polls = Counter()
        let task = Task {
            for poll in 1...121 {
                try await loop.clock.sleep(for: .milliseconds(1))
                try await walk.go()
                #expect(loop.elapsedTime == .milliseconds(poll))
                polls.add()
            }
        }
        await loop.advance(by: .milliseconds(121))
        #expect(polls.value == 121)
        walk.end()
        task.cancel()
        _ = await task.result
    }

    /// The ways, with what they need.
    private struct Walk: Sendable {
        let way: Way
        let loop: Loop
        let meter = Meter()
        let loopMeter: LoopMeter
        let sendRequest: AsyncStream<UnsafeContinuation<Void, Never>>.Continuation

        init(_ way: Way, on loop: Loop) throws {
            self.way = way
            let (requests, sendRequest) = AsyncStream.makeStream(
                of: UnsafeContinuation<Void, Never>.self)
            self.sendRequest = sendRequest
            self.loop = loop
            loopMeter = LoopMeter(loop)
            if way == .anotherTask {
                Task {
                    for await request in requests {
                        await Task.yield()
                        request.resume()
                    }
                }
            }
        }

        func end() { sendRequest.finish() }

        func go() async throws {
            switch way {
            case .nowhere: break
            case .computing: busy(.milliseconds(1))
            case .yielding:
                for _ in 0..<100 { await Task.yield() }
            case .anActor:
                await meter.add()
                await meter.add(slowly: true)
            case .childTasks:
                async let first: Void = meter.add()
                await withTaskGroup { group in
                    for _ in 0..<4 { group.addTask { await meter.add(slowly: true) } }
                }
                await first
            case .otherTasks:
                await Task.detached(priority: .background) { await Task.yield() }.value
                await Task(priority: .high) { await meter.add() }.value
            case .anotherTask:
                await withUnsafeContinuation { sendRequest.yield($0) }
            case .mainActor:
                await MainActor.run { busy(.microseconds(100)) }
                await meter.add()
            case .aPool:
                await withUnsafeContinuation { task in
                    WorkerPool.shared.execute {
                        busy(.microseconds(100))
                        WorkerPool.shared.execute { task.resume() }
                    }
                }
            case .theLoop:
                await withUnsafeContinuation { task in loop.execute { task.resume() } }
            case .anActorOfTheLoop: await loopMeter.touch()
            case .aBlockingWait:
                let latch = Latch()
                loop.execute { latch.signal() }
                wait(for: latch)
            }
        }

        private func wait(for latch: Latch) { _ = latch.wait() }
    }

    /// Loops of tests that run side by side do not wait for each other's tasks, one of which never
    /// rests.
    @Test func testsSideBySideDoNotMeet() async throws {
        let isOver = Shared(false)
        let restless = Task {
            let loop = try Loop.manual(patience: Self.forAges)
            let task = Task {
                try await loop.clock.sleep(for: .milliseconds(1))
                while !isOver.value { await Task.yield() }
            }
            try await loop.waitForPending()
            advanceWithoutTasks(loop, by: .milliseconds(1))
            try await task.value
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { try await noSleepIsPassedOver(.yielding) }
            }
            try await group.waitForAll()
        }
        isOver.value = true
        try await restless.value
    }

    /// A task whose thread is blocked in a wait holds nothing up: only the loop's time ends it.
    @Test func aBlockedTaskDoesNotStopTime() async throws {
        let loop = try Loop.manual(patience: Self.forAges)
        let latch = Latch()
        loop.schedule(after: .seconds(2)) { latch.signal() }
        @Sendable func wait() { _ = latch.wait() }
        let task = Task {
            try await loop.clock.sleep(for: .seconds(1))
            wait()
        }
        await loop.advance(by: .seconds(3))
        try await task.value
        #expect(loop.elapsedTime == .seconds(3))
    }

    /// A task that never comes back is left behind once the loop's patience is over, with a word.
    @Test func aTaskThatNeverRestsIsReported() async throws {
        let result = try await #require(processExitsWith: .success, observing: standardError) {
            try await suspendingExitTest {
                let loop = try Loop.manual(patience: .milliseconds(50))
                let task = Task {
                    try await loop.clock.sleep(for: .seconds(1))
                    while !Task.isCancelled { await Task.yield() }
                }
                try await loop.waitForPending()
                await loop.advance(by: .seconds(2))
                require(loop.elapsedTime == .seconds(2), "time stands at \(loop.elapsedTime)")
                task.cancel()
                try await task.value
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("time moves on from 1.0 seconds") || !Machine.isDebug)
        #expect(text.contains("although tasks or closures") || !Machine.isDebug, "\(text)")
    }

    /// A cancel ends an advance where time stands.
    @Test func aCancelledAdvanceEndsWhereItIs() async throws {
        let loop = try Loop.manual()
        let advance = Shared<Task<Void, Never>?>(nil)
        loop.schedule(every: .seconds(1)) { tick in
            if tick.index == 4 { advance.value?.cancel() }
        }
        let mayBegin = Pair()
        advance.value = Task {
            await mayBegin.wait()
            await loop.advance(by: .seconds(1000))
        }
        mayBegin.open()
        await advance.value?.value
        #expect(loop.elapsedTime == .seconds(5))
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await loop.advance(by: .seconds(1))
            #expect(await loop.advanceToNextDeadline() == nil)
            let error = await #expect(throws: SwivelError.self) {
                try await loop.waitForPending(2)
            }
            #expect(error?.code == .cancelled)
        }.value
        #expect(loop.elapsedTime == .seconds(5))
    }

    /// A cancel ends an advance that waits for a task.
    @Test func aCancelEndsTheWaitForATask() async throws {
        let loop = try Loop.manual(patience: Self.forAges)
        let isOver = Shared(false)
        let advance = Shared<Task<Void, Never>?>(nil)
        let task = Task {
            try await loop.clock.sleep(for: .seconds(1))
            advance.value?.cancel()
            while !isOver.value { await Task.yield() }
        }
        try await loop.waitForPending()
        let mayBegin = Pair()
        advance.value = Task {
            await mayBegin.wait()
            await loop.advance(by: .seconds(2))
        }
        mayBegin.open()
        await advance.value?.value
        #expect(loop.elapsedTime <= .seconds(1))
        isOver.value = true
        try await task.value
    }
}

/// Opens once, for tasks.
private final class Pair: Sendable {
    private let (stream, source) = AsyncStream.makeStream(of: Void.self)

    func open() { source.finish() }

    func wait() async {
        for await _ in stream {}
    }
}

/// In a function that cannot suspend, an advance leaves tasks to themselves.
private func advanceWithoutTasks(_ loop: Loop, by duration: Duration) {
    loop.advance(by: duration)
}

/// Computes for a while.
private func busy(_ duration: Duration) {
    let ends = ContinuousClock.now + duration
    while ContinuousClock.now < ends {}
}
