// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Guarantee V2: a timer that only looks for what is due is no work.
@Suite(.offPool) struct BookkeepingTests {
    private let probe = Probe()

    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Leaves nothing pending on the loop before an hour has passed.
        let leave: @Sendable (Loop) -> any Sendable
        /// Whether something is pending after that.
        let isFar: Bool

        init(
            _ name: String, isFar: Bool = false, _ leave: @escaping @Sendable (Loop) -> any Sendable
        ) {
            (testDescription, self.leave, self.isFar) = (name, leave, isFar)
        }
    }

    static let kinds: [Kind] = [
        Kind("entries of a DeadlineQueue that were removed") { loop in
            let queue = DeadlineQueue<Int>(on: loop) { _ in }
            let entries = (1...5).map { queue.add($0, after: .milliseconds(100 * $0)) }
            entries.forEach { $0.remove() }
            return queue
        },
        Kind("entries of a DeadlineQueue that were moved", isFar: true) { loop in
            let queue = DeadlineQueue<Int>(on: loop) { _ in }
            let entries = (1...5).map { queue.add($0, after: .milliseconds(100 * $0)) }
            entries.forEach { $0.move(after: .hours(9)) }
            return queue
        },
        Kind("entries of an IdleTracker that were removed") { loop in
            let tracker = IdleTracker<Int>(on: loop, after: .milliseconds(300)) { _ in }
            let entries = (1...5).map { tracker.add($0) }
            entries.forEach { $0.remove() }
            return tracker
        },
        Kind("a Coalescer's run that was cancelled") { loop in
            let coalescer = Coalescer(on: loop, after: .milliseconds(300)) {}
            coalescer.call()
            coalescer.cancel()
            return coalescer
        },
        Kind("a Throttle's run that was cancelled") { loop in
            let throttle = Throttle(on: loop, every: .milliseconds(300), edges: .trailing) {}
            throttle.call()
            throttle.cancel()
            return throttle
        },
        Kind("a LoopTimer that was moved", isFar: true) { loop in
            let timer = LoopTimer(on: loop) {}
            timer.arm(after: .milliseconds(300))
            loop.onThreadIfAny {}
            timer.arm(after: .hours(9))
            return timer
        },
        Kind("a one-shot that was moved", isFar: true) { loop in
            let handle = loop.schedule(after: .milliseconds(300)) {}
            loop.onThreadIfAny {}
            handle.rearm(after: .hours(9))
            return handle
        },
    ]

    @Test(arguments: kinds, [true, false])
    func aDrainDoesNotWaitForIt(_ kind: Kind, inside: Bool) throws {
        let loop = try threadedLoop()
        let kept = Shared<[any Sendable]>()
        if inside {
            loop.onThread { kept.append(kind.leave(loop)) }
        } else {
            kept.append(kind.leave(loop))
        }
        let began = LoopClock.Instant.now
        let report = loop.shutdown(.drain(within: .seconds(90)))
        #expect(began.duration(to: .now) < .seconds(60))
        #expect(report.ran == 0 && report.cancelled == (kind.isFar ? 1 : 0))
        #expect(loop.metrics.fired == 0)
    }

    @Test(arguments: kinds)
    func virtualTimeDoesNotGoOnForIt(_ kind: Kind) throws {
        let loop = try manualLoop()
        let kept = kind.leave(loop)
        #expect(loop.metrics.pending == (kind.isFar ? 1 : 0))
        loop.runDue()
        #expect(loop.pending.count == (kind.isFar ? 1 : 0))
        #expect(try loop.runUntilIdle() == (kind.isFar ? .hours(9) : .zero))
        #expect(loop.metrics.fired == (kind.isFar ? 1 : 0))
        withExtendedLifetime(kept) {}
    }

    /// Neither the limit of an IdleTracker that is far away, nor its sweeps until then.
    @Test func aDrainDoesNotWaitForSweeps() throws {
        let loop = try threadedLoop()
        let tracker = IdleTracker<Int>(
            on: loop, after: .hours(1), resolution: .seconds(4), probe.work { (_: [Int]) in })
        let entry = tracker.add(1)
        loop.endTurn()
        entry.touch()
        let began = LoopClock.Instant.now
        let report = loop.shutdown(.drain(within: .seconds(90)))
        #expect(began.duration(to: .now) < .seconds(60))
        #expect(report.ran == 0 && report.cancelled == 1 && loop.metrics.fired == 0)
    }

    /// Nor for a sweep that comes before the limit and finds nothing.
    @Test func aDrainMovesNoTimeToASweep() throws {
        let loop = try manualLoop()
        let tracker = IdleTracker<Int>(
            on: loop, after: .seconds(10), probe.work { (_: [Int]) in })
        let entry = tracker.add(1)
        loop.advance(by: .seconds(9))
        entry.touch()
        let report = loop.shutdown(.drain(within: .seconds(5)))
        #expect(report.ran == 0 && report.cancelled == 1)
        #expect(loop.elapsed == 9_000)
    }

    /// A sweep that finds nothing is no fire.
    @Test func aTouchedEntryFiresNothing() throws {
        let loop = try manualLoop()
        let tracker = IdleTracker<Int>(
            on: loop, after: .seconds(10), probe.work { (_: [Int]) in })
        let entry = tracker.add(1)
        for _ in 0..<20 {
            loop.advance(by: .seconds(9))
            entry.touch()
        }
        #expect(loop.metrics.fired == 0 && loop.metrics.pending == 1)
        #expect(try loop.runUntilIdle() == .seconds(10))
        #expect(loop.metrics.fired == 1 && loop.metrics.pending == 0 && probe.ran == 1)
    }

    /// A move to a later instant fires nothing at the earlier one.
    @Test func aMovedDeadlineFiresOnce() throws {
        let loop = try manualLoop()
        let queue = DeadlineQueue<Int>(on: loop, probe.work { (_: [Int]) in })
        let entry = queue.add(1, after: .seconds(1))
        entry.move(after: .seconds(3))
        #expect(loop.advanceToNextDeadline() == loop.now)
        #expect(loop.elapsed == 3_000 && probe.ran == 1 && loop.metrics.fired == 1)
    }
}

extension Loop {
    /// As `onThread`, where the loop has a thread that is not the calling one.
    fileprivate func onThreadIfAny(_ body: @escaping @Sendable () -> Void) {
        let isManual = name.hasPrefix("test.manual")
        if !isManual, !isCurrent { onThread(body) }
    }
}
