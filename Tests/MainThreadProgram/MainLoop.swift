// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
import SwivelDispatch

@MainActor func mainLoopDrainsTheMainQueue() {
    let journal = Journal()
    let left = Countdown(5) { Loop.main.stop() }
    DispatchQueue.main.async {
        require(Loop.current == nil && !Loop.main.isCurrent, "it is none of the loop's closures")
        MainActor.assumeIsolated { journal.note("block") }
        left.leave()
    }
    DispatchQueue.global().async {
        DispatchQueue.main.execute {
            MainActor.assumeIsolated { journal.note("lane") }
            left.leave()
        }
    }
    Task { @MainActor in
        for _ in 0..<3 { try? await Task.sleep(for: .milliseconds(2)) }
        journal.note("task")
        left.leave()
    }
    Loop.main.schedule(after: .milliseconds(3)) {
        require(Loop.main.isCurrent, "it is the loop's own")
        MainActor.assumeIsolated { journal.note("timer") }
        left.leave()
    }
    DispatchQueue.main.schedule(after: .milliseconds(3)) {
        MainActor.assumeIsolated { journal.note("main timer") }
        left.leave()
    }
    Loop.main.run()
    require(journal.entries.count == 5, "\(journal.entries)")
}

@MainActor func blockOnTheMainLoopWaits() {
    let journal = Journal()
    DispatchQueue.main.async {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { journal.note("foreign") }
            Loop.main.stop()
        }
        let latches = (0..<4).map { _ in Latch() }
        // Timers and posts of the loop go on, and the lane, and what other threads complete.
        Loop.main.schedule(after: .milliseconds(2)) { latches[0].signal() }
        wait(latches[0])
        Loop.main.execute { latches[1].signal() }
        wait(latches[1])
        DispatchQueue.main.execute { latches[2].signal() }
        wait(latches[2])
        Loop.shared.schedule(after: .milliseconds(2)) {
            DispatchQueue.main.execute {
                MainActor.assumeIsolated { journal.note("lane") }
                WorkerPool.shared.execute { latches[3].signal() }
            }
        }
        wait(latches[3])
        require(Loop.current == nil && Loop.hosting === Loop.main, "back in the block")
        require(!wait(Latch(), until: .now + .milliseconds(2)), "it never opens")
        MainActor.assumeIsolated { journal.note("waited") }
    }
    Loop.main.run()
    require(journal.entries == ["lane", "waited", "foreign"], "\(journal.entries)")
}

@MainActor func closureOfTheMainLoopWaits() {
    let journal = Journal()
    Loop.main.execute {
        let (block, lane, task) = (Latch(), Latch(), Latch())
        DispatchQueue.global().async { DispatchQueue.main.async { block.signal() } }
        wait(block)
        DispatchQueue.global().async { DispatchQueue.main.execute { lane.signal() } }
        wait(lane)
        Task { @MainActor in
            try? await Task.sleep(for: .milliseconds(2))
            task.signal()
        }
        wait(task)
        MainActor.assumeIsolated { journal.note("waited") }
        Loop.main.stop()
    }
    Loop.main.run()
    require(journal.entries == ["waited"], "\(journal.entries)")
}

/// The main queue is held by the block that drives the loop: the lane goes on all the same.
@MainActor func mainLoopInsideABlock() {
    let journal = Journal()
    inBlock {
        DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("foreign") } }
        for number in 0..<3 {
            Loop.shared.schedule(after: .milliseconds(2 * number)) {
                DispatchQueue.main.execute {
                    MainActor.assumeIsolated { journal.note("lane") }
                    if number == 2 { Loop.main.stop() }
                }
            }
        }
        Loop.main.run()
        journal.note("ran")
    }
    let after = Latch()
    DispatchQueue.main.async { after.signal() }
    wait(after)
    require(journal.entries == ["lane", "lane", "lane", "ran", "foreign"], "\(journal.entries)")
}

/// The first thread posts from a closure of its loop, and then from a block of the main queue.
@MainActor func blocksPostsKeepTheirOrder() {
    let journal = Journal()
    let note: @Sendable (String) -> Void = { entry in
        Loop.main.execute { MainActor.assumeIsolated { journal.note(entry) } }
    }
    Loop.main.execute {
        note("closure")
        DispatchQueue.main.async {
            note("block")
            Loop.main.execute { Loop.main.stop() }
        }
    }
    Loop.main.run()
    require(journal.entries == ["closure", "block"], "\(journal.entries)")
}

/// The closure that ran before the block is not what keeps the loop.
@MainActor func stallInABlockHasNoPlace() {
    let signalled = DispatchSemaphore(value: 0)
    let watchdog = try? Loop.main.watchdog(after: .milliseconds(10)) { stall in
        require(stall.isOver || stall.site == nil, "\(stall)")
        signalled.signal()
    }
    Loop.main.execute {
        DispatchQueue.main.async {
            signalled.wait()
            Loop.main.stop()
        }
    }
    Loop.main.run()
    watchdog?.cancel()
}

@MainActor func mainLoopByTurns() {
    let journal = Journal()
    for number in 0..<50 {
        DispatchQueue.global().async {
            DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("\(number)") } }
        }
        while journal.entries.count <= number { Loop.main.runOnce(.wait) }
    }
    DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("last") } }
    while journal.entries.last != "last" { Loop.main.runOnce(.noWait) }
    // Elsewhere it is a loop like others, and the main queue stays where it is.
    let ended = Latch()
    DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("kept") } }
    let thread = Thread {
        Loop.main.execute { Loop.main.stop() }
        Loop.main.run()
        ended.signal()
    }
    thread.start()
    require(!journal.entries.contains("kept"), "\(journal.entries)")
    wait(ended)
    let after = Latch()
    DispatchQueue.main.async { after.signal() }
    wait(after)
    require(journal.entries.last == "kept", "\(journal.entries)")
}

@MainActor func defaultContexts() {
    require(defaultContext() is WorkerPool, "nothing drives the main queue")
    inBlock { require(defaultContext() is WorkerPool, "a wait does not drive it for good") }
    DispatchQueue.main.async {
        require(defaultContext() is DispatchQueue, "the main loop drives it")
        let latch = Latch()
        DispatchQueue.main.execute {
            require(defaultContext() is DispatchQueue, "in the lane as well")
            latch.signal()
        }
        wait(latch)
        require(defaultContext() is DispatchQueue, "after a wait as well")
        Loop.main.execute {
            require(defaultContext() as? Loop === Loop.main, "the loop's own closure")
            Loop.main.stop()
        }
    }
    Loop.main.run()
    require(defaultContext() is WorkerPool, "nothing drives it any more")
}

/// S5, with the main queue at its side: turns are for what comes.
@MainActor func mainLoopIsIdle() {
    Loop.main.schedule(after: .milliseconds(300)) { Loop.main.stop() }
    DispatchQueue.main.async {}
    let before = Loop.main.metrics
    Loop.main.run()
    let turns = Loop.main.metrics.turns - before.turns
    require(turns < 50, "\(turns) turns for one block and one timer")
}

/// Calls `done` when this many have left.
private final class Countdown: Sendable {
    private let left: Lock<Int>
    private let done: @Sendable () -> Void

    init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
        left = Lock(count)
        self.done = done
    }

    func leave() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { done() }
    }
}
