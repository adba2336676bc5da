// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// A value behind a lock with a condition, on plain threads.
@Suite(.offPool) struct MonitorTests {
    /// Each value that is put in is taken out once, whoever sleeps.
    @Test func eachChangeWakesASleeper() {
        let monitor = Monitor<[Int]>([])
        let taken = Shared<[Int]>()
        let takers = (0..<4).map { _ in
            TestThread {
                let number = monitor.wait(until: .max) { numbers, _ in numbers.popLast() }
                number.map { taken.append($0) }
            }
        }
        for number in 0..<4 {
            monitor.withSleepers { numbers, sleepers in
                numbers.append(number)
                sleepers.wakeOne()
            }
        }
        takers.forEach { $0.join() }
        #expect(taken.value.sorted() == [0, 1, 2, 3])
    }

    @Test func aWakeOfAllEndsAllSleeps() {
        let monitor = Monitor(false)
        let ended = Counter()
        let sleepers = (0..<4).map { _ in
            TestThread {
                if monitor.wait(until: .max, { isOver, _ in isOver ? true : nil }) == true {
                    ended.add()
                }
            }
        }
        monitor.withSleepers { isOver, sleepers in
            isOver = true
            sleepers.wakeAll()
        }
        sleepers.forEach { $0.join() }
        #expect(ended.value == 4)
    }

    /// The last attempt comes at the deadline, not before, and is told so.
    @Test(arguments: [-1, 0, 2_000_000]) func theLastAttemptComesAtTheDeadline(nanoseconds: Int) {
        let monitor = Monitor(0)
        let deadline = LoopClock.Instant.now.advanced(by: .nanoseconds(nanoseconds))
        let last = monitor.wait(until: deadline.nanoseconds) { count, isLast -> Bool? in
            count += 1
            #expect(!isLast || LoopClock.Instant.now >= deadline)
            return isLast && count < 0 ? true : nil
        }
        #expect(last == nil && monitor.withLock { $0 } >= 2)
    }

    @Test func theValueGoesWithTheMonitor() {
        let probe = Probe()
        let monitor = Monitor(Optional(probe.token()))
        #expect(probe.live == 1 && monitor.withLock { $0 != nil })
        monitor.withLock { $0.take() }.map { _ in }
        #expect(probe.live == 0)
        _ = Monitor(probe.token())
        #expect(probe.live == 0)
    }
}
