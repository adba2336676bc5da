// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// T10: what was ready when a late turn began is delivered before any timer that is due (the order
/// decides, not the time).
@Suite(.offPool) struct WatchBeforeTimersTests {
    /// Many watched pipes. Each event is counted once it has been read.
    private final class Crowd: Sendable {
        let pipes: [TestPipe]
        let delivered = Counter()

        init(_ count: Int) throws {
            pipes = try (0..<count).map { _ in try TestPipe(isJoined: true) }
        }

        func watch(on loop: Loop, _ body: @escaping @Sendable (Int) -> Void = { _ in }) {
            for (index, pipe) in pipes.enumerated() {
                loop.watch(pipe.read) { [delivered] _ in
                    pipe.take()
                    delivered.add()
                    body(index)
                }
            }
        }

        /// Makes all of them readable, and returns once the clock is past `instant`.
        func stall(beyond instant: LoopClock.Instant) {
            pipes.forEach { $0.put("a") }
            while LoopClock.Instant.now <= instant.advanced(by: .milliseconds(1)) {}
        }

        var hasUnreadData: Bool {
            pipes.contains { pipe in
                var entry = pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 0) == 1
            }
        }
    }

    private static let crowds = [1, 65, 300, 3_000, 10_000]

    /// A closure holds the loop up until both the data and the deadline have come.
    @Test(arguments: crowds, [1_024, 7])
    func everyReadyDescriptorIsDeliveredBeforeADueTimer(count: Int, budget: Int) throws {
        let (loop, crowd) = (
            try Loop(.init(name: "late", turnBudget: .init(count: budget))), try Crowd(count)
        )
        defer { loop.shutdown() }
        let (before, gate) = (Shared<[Int]>([]), Gate())
        let timer = LoopTimer(on: loop) {
            before.append(crowd.delivered.value)
            gate.open()
        }
        loop.onThread {
            crowd.watch(on: loop)
            let deadline = LoopClock.Instant.now.advanced(by: .milliseconds(2))
            loop.schedule(at: deadline) {
                before.append(crowd.delivered.value)
                gate.open()
            }
            timer.arm(at: deadline)
            crowd.stall(beyond: deadline)
        }
        gate.wait(times: 2)
        #expect(before.value == [count, count])
    }

    /// F1: between two steps of the delivery the turn runs what other threads have posted.
    @Test func postsRunBetweenTheStepsOfADelivery() throws {
        let loop = try Loop(.init(name: "steps", turnBudget: .init(count: 16)))
        let crowd = try Crowd(2_000)
        defer { loop.shutdown() }
        let (seen, gate, hasPosted) = (Counter(-1), Gate(), Counter())
        loop.onThread {
            crowd.watch(on: loop) { _ in
                guard hasPosted.add() == 1 else { return }
                TestThread {
                    loop.execute {
                        seen.add(crowd.delivered.value + 1)
                        gate.open()
                    }
                }.join()
            }
            let deadline = LoopClock.Instant.now.advanced(by: .milliseconds(2))
            loop.schedule(at: deadline) {}
            crowd.stall(beyond: deadline)
        }
        gate.wait()
        #expect(seen.value < 100)
    }

    /// Descriptors that stay ready do not keep timers from firing.
    @Test func timersGoOnBesideDescriptorsThatStayReady() throws {
        let (loop, pipes, gate) = (try Loop(), try (0..<300).map { _ in try TestPipe() }, Gate())
        defer { loop.shutdown() }
        for pipe in pipes {
            pipe.put("a")
            loop.watch(pipe.read) { _ in }
        }
        loop.schedule(every: .milliseconds(1)) { _ in gate.open() }
        gate.wait(times: 20)
    }

    /// The connections are as active as they can be; the loop is late.
    @Test func whatActivityPutsOffOutlivesAStall() throws {
        let (loop, crowd) = (try Loop(), try Crowd(500))
        defer { loop.shutdown() }
        let (early, idle, late, saved) = (Counter(), Gate(), Gate(), Gate())
        let tracker = IdleTracker<Int>(on: loop, after: .milliseconds(30)) { ids in
            if crowd.hasUnreadData { early.add() }
            idle.open(ids.count)
        }
        let deadlines = DeadlineQueue<Int>(on: loop) { ids in
            if crowd.hasUnreadData { early.add() }
            late.open(ids.count)
        }
        let save = Coalescer(on: loop, after: .milliseconds(30)) {
            if crowd.hasUnreadData { early.add() }
            saved.open()
        }
        loop.onThread {
            let entries = crowd.pipes.indices.map { tracker.add($0) }
            let limits = crowd.pipes.indices.map { deadlines.add($0, after: .milliseconds(30)) }
            crowd.watch(on: loop) { index in
                entries[index].touch()
                limits[index].move(after: .milliseconds(30))
                save.call()
            }
        }
        for _ in 0..<3 {
            loop.onThread {
                crowd.stall(beyond: LoopClock.Instant.now.advanced(by: .milliseconds(60)))
            }
        }
        idle.wait(times: 500)
        late.wait(times: 500)
        saved.wait()
        #expect(early.value == 0, "expired while its data waited to be read")
    }
}
