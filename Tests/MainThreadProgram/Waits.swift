// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelDispatchBackend

@MainActor func waitRunsTheMainQueue() {
    let journal = Journal()
    for round in 0..<100 {
        let latch = Latch()
        DispatchQueue.global().async {
            DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("block") } }
            DispatchQueue.main.execute { MainActor.assumeIsolated { journal.note("lane") } }
            DispatchQueue.main.execute { latch.signal() }
        }
        wait(latch)
        require(journal.entries.count == 2 * (round + 1), "\(journal.entries)")
    }
    require(Set(journal.entries) == ["block", "lane"], "both ways")
}

@MainActor func waitRunsTheMainActor() {
    let latch = Latch()
    Task { @MainActor in
        for _ in 0..<3 {
            try? await Task.sleep(for: .milliseconds(2))
            await Task.detached { await Task.yield() }.value
        }
        MainActor.assertIsolated()
        latch.signal()
    }
    wait(latch)
}

/// Nothing ever comes to the main queue: the completion itself has to end the sleep.
@MainActor func completionWakesAWait() {
    for round in 0..<500 {
        let latch = Latch()
        // Mostly after the wait has begun to sleep.
        if round % 5 == 0 {
            Loop.shared.schedule(after: .milliseconds(2)) { latch.signal() }
        } else {
            WorkerPool.shared.execute { latch.signal() }
        }
        wait(latch)
    }
    let latches = (0..<100).map { _ in Latch() }
    WorkerPool.shared.execute { latches.forEach { $0.signal() } }
    latches.reversed().forEach { wait($0) }
}

@MainActor func waitEndsAtItsDeadline() {
    for delay in [Duration.zero, .microseconds(1), .milliseconds(5)] {
        let deadline = LoopClock.Instant.now + delay
        require(!wait(Latch(), until: deadline), "it never opens")
        require(LoopClock.Instant.now >= deadline, "never early")
    }
    let open = Latch()
    open.signal()
    require(wait(open, until: .init(nanoseconds: 0)), "it has happened")
}

@MainActor func waitInsideABlockRunsTheLane() {
    let journal = Journal()
    inBlock {
        let (first, last) = (Latch(), Latch())
        DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("foreign") } }
        // One thread's posts run in order, on every path, and nested waits as well.
        DispatchQueue.main.execute {
            MainActor.assumeIsolated {
                journal.note("1")
                DispatchQueue.global().async {
                    DispatchQueue.main.execute { MainActor.assumeIsolated { journal.note("4") } }
                    DispatchQueue.main.execute { first.signal() }
                }
                wait(first)
                journal.note("5")
            }
        }
        DispatchQueue.main.execute { MainActor.assumeIsolated { journal.note("2") } }
        Loop.shared.schedule(after: .milliseconds(5)) {
            DispatchQueue.main.execute { last.signal() }
        }
        DispatchQueue.main.execute { MainActor.assumeIsolated { journal.note("3") } }
        wait(last)
        journal.note("6")
    }
    let after = Latch()
    DispatchQueue.main.async { after.signal() }
    wait(after)
    require(
        journal.entries == ["1", "2", "3", "4", "5", "6", "foreign"], "\(journal.entries)")
}

/// Work that came to the main queue while one of its blocks waited runs when the block has returned:
/// the wait has read the signal that the run loop listens to.
@MainActor func runLoopsBlockWaits() {
    let journal = Journal()
    DispatchQueue.main.async {
        DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("foreign") } }
        let latch = Latch()
        Loop.shared.schedule(after: .milliseconds(5)) {
            DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("late") } }
            DispatchQueue.main.execute { latch.signal() }
        }
        wait(latch)
        MainActor.assumeIsolated { journal.note("waited") }
    }
    while journal.entries.count < 3 {
        _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
    require(journal.entries == ["waited", "foreign", "late"], "\(journal.entries)")
}

@MainActor func waitsNestUntilTheStackEnds() {
    @Sendable func nest() {
        DispatchQueue.main.execute { nest() }
        wait(Latch())
    }
    nest()
}

@MainActor func operationsInsideABlock() {
    inBlock {
        let latch = Latch()
        OperationQueue.main.addOperation { latch.signal() }
        wait(latch, target: OperationQueue.main)
    }
}

@MainActor func mainActorInsideABlock() {
    inBlock {
        let latch = Latch()
        Task { @MainActor in latch.signal() }
        wait(latch, target: MainActorContext())
    }
}

@MainActor func foreignWorkOutsideABlock() {
    let operations = Latch()
    OperationQueue.main.addOperation { operations.signal() }
    wait(operations, target: OperationQueue.main)
    let backend = Latch()
    DispatchBackend(.main).execute { backend.signal() }
    wait(backend, target: DispatchBackend(.main))
    let job = Latch()
    Task { @MainActor in job.signal() }
    wait(job, target: MainActorContext())
}

/// On the main thread too: running the main queue does not help a queue that the thread holds.
@MainActor func queueThatWaitsForItself() {
    let queue = DispatchQueue(label: "test.held")
    queue.sync {
        let latch = Latch()
        queue.async { latch.signal() }
        wait(latch, target: queue)
    }
}

/// The main queue moves to other threads, which wait there by the lane alone.
@MainActor func dispatchMainAfterAWait() {
    let first = Latch()
    DispatchQueue.main.execute { first.signal() }
    wait(first)
    DispatchQueue.main.async {
        let latch = Latch()
        Loop.shared.schedule(after: .milliseconds(5)) {
            DispatchQueue.main.execute { latch.signal() }
        }
        wait(latch)
        let elsewhere = Latch()
        WorkerPool.shared.execute { elsewhere.signal() }
        wait(elsewhere)
        require(!wait(Latch(), until: .now + .milliseconds(5)), "it never opens")
        print("passed")
        exit(0)
    }
    dispatchMain()
}
