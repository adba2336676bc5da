// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Actors that live on a loop.
@Suite(.offPool) struct ActorExecutorTests {
    /// Calls between two actors of one loop are calls: no job, no turn.
    @Test func actorsOfOneLoopCallEachOtherWithoutAJob() throws {
        let loop = try manualLoop()
        let one = Resident(loop)
        let other = Resident(loop)
        let task = Task.detached { await one.visit(other, times: 1_000) }
        let before = loop.metrics.posts
        let right = drive(loop, until: task)
        #expect(right == 2_000)
        #expect(loop.metrics.posts - before <= 2, "the call from outside, and what follows it")
    }

    /// `assumeIsolated` is accepted in every closure of the loop.
    @Test func closuresOfTheLoopAreIsolatedToItsActors() throws {
        let loop = try threadedLoop()
        let actor = Resident(loop)
        let done = Gate()
        let visit: @Sendable () -> Void = {
            let isRight = actor.assumeIsolated { $0.visit() }
            #expect(isRight)
            actor.preconditionIsolated()
            #expect(loop.isIsolatingCurrentContext() == true)
            done.open()
        }
        loop.execute(visit)
        loop.schedule(after: .zero, visit)
        loop.schedule(after: .nanoseconds(1), visit)
        loop.schedule(every: .nanoseconds(1)) { tick in
            visit()
            tick.cancel()
        }
        LoopTimer(on: loop, visit).arm(after: .zero)
        let timer = LoopTimer(on: loop, visit)
        timer.arm(after: .nanoseconds(1))
        loop.once("visit", visit)
        done.wait(times: 6)
        #expect(loop.isIsolatingCurrentContext() == false)
        loop.shutdown()
    }

    @Test func assumingIsolationElsewhereTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let actor = Resident(try Loop())
                actor.assumeIsolated { _ = $0.visit() }
            }
        }
        #expect(result.errors.contains("executor"))
    }

    /// Where the runtime leaves the check to the executor, the message says how to mend it.
    @Test func checkingIsolationElsewhereTraps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            try exitTest { try Loop().checkIsolated() }
        }
        #expect(result.errors.contains("post the code to the loop with execute(_:)"))
    }

    /// A job is one word, and runs from there.
    @Test func aJobRunsFromItsWord() throws {
        let executor = Collector()
        let ran = Counter()
        for _ in 0..<10 {
            Task(executorPreference: executor) { ran.add() }
        }
        let loop = try manualLoop()
        loop.inside {
            for words in executor.collected.value {
                words.job.runSynchronously(on: executor.asUnownedTaskExecutor())
            }
        }
        #expect(ran.value == 10)
    }

    /// A loop does not live longer for having executors.
    @Test func executorsDoNotKeepALoopAlive() throws {
        weak var gone: Loop?
        do {
            let loop = try Loop.embedded()
            gone = loop
            let executor = loop.taskExecutor
            #expect(executor === loop.taskExecutor)
            #expect(executor.loop === loop.serialExecutor)
        }
        #expect(gone == nil)
    }

    /// A task executor keeps its loop.
    @Test func aTaskExecutorKeepsItsLoop() throws {
        weak var loop: Loop?
        var executor: LoopTaskExecutor?
        do {
            let made = try Loop.embedded()
            loop = made
            executor = made.taskExecutor
        }
        #expect(loop != nil)
        executor = nil
        #expect(loop == nil)
        _ = executor
    }
}

/// Keeps the words of jobs.
private final class Collector: TaskExecutor {
    let collected = Shared<[TaskWords]>()

    func enqueue(_ job: consuming ExecutorJob) { collected.append(TaskWords(job, .taskJob)) }
}

/// Moves a manual loop on until a task has ended.
func drive<Value: Sendable>(_ loop: Loop, until task: Task<Value, Never>) -> Value? {
    let result = Shared<Value?>(nil)
    let end = Gate()
    Task.detached {
        result.value = await task.value
        end.open()
    }
    while !end.isOpened(seconds: 0) {
        loop.runDue()
    }
    return result.value
}
