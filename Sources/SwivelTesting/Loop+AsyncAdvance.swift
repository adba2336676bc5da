// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Loop {
    /// Rounds in a row that must bring nothing new before the loop counts as calm.
    private static let calmRounds = 20
    /// Rounds that one instant may take.
    private static let roundsPerInstant = 100_000

    /// As the form that blocks, for tests with tasks: at each instant of the way, tasks that were
    /// resumed get to run, and to sleep again or post, before time moves on.
    ///
    /// Tasks and actors on the loop's own executors run within its turns, always in the same order.
    /// Tasks on other executors are given time, but nothing can tell when they are done: where a
    /// slow one matters, wait for its next sleep with ``waitForPending(_:patience:)``.
    ///
    /// **Thread:** any task that does not itself run on the loop, one at a time.
    public func advance(to instant: LoopClock.Instant) async {
        _ = virtualTime("advance(to:)")
        await settle()
        while let next = nextDeadline, next <= instant, refuseToBeStuck(move(to: max(next, now))) {
            await settle()
        }
        refuseToBeStuck(move(to: instant))
        await settle()
    }

    /// As `advance(to:)`, by a duration.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// As the form that blocks, for tests with tasks; see `advance(to:)`.
    @discardableResult
    public func advanceToNextDeadline() async -> LoopClock.Instant? {
        _ = virtualTime("advanceToNextDeadline()")
        await settle()
        while nextDeadline != nil {
            let fired = metrics.fired
            guard refuseToBeStuck(moveToNextInstant()) else { return nil }
            let isThere = metrics.fired != fired
            let instant = now
            await settle()
            if isThere {
                return instant
            }
        }
        return nil
    }

    /// As the form that blocks, for tests with tasks; see `advance(to:)`.
    @discardableResult
    public func runUntilIdle(limit: Int = 100_000) async throws(NeverIdle) -> Duration {
        _ = virtualTime("runUntilIdle()")
        let start = now
        await settle()
        var instants = 0
        while nextDeadline != nil {
            if instants >= limit {
                throw NeverIdle(self, after: instants)
            }
            instants += 1
            let progress = moveToNextInstant()
            if progress == .stuck {
                throw NeverIdle(self, after: instants)
            }
            guard refuseToBeStuck(progress) else { break }
            await settle()
        }
        return start.duration(to: now)
    }

    /// Waits until so many timers wait on the loop, running what is due now meanwhile: until the
    /// tasks under test sleep.
    ///
    /// - Parameters:
    ///   - count: How many, at least.
    ///   - patience: Real time after which they are not expected any more.
    /// - Throws: ``SwivelError`` with ``SwivelError/Code/timedOut``, which names what does wait.
    public func waitForPending(
        _ count: Int = 1, patience: Duration = .seconds(10)
    ) async throws(SwivelError) {
        _ = virtualTime("waitForPending(_:)")
        let ends = ContinuousClock.now + patience
        while true {
            refuseToBeStuck(move(to: now))
            let pending = pendingNodes().count
            if pending >= count {
                return
            }
            guard ContinuousClock.now < ends else {
                throw SwivelError(
                    .timedOut,
                    "\(pending) timers wait on \(self), not \(count). \(pendingDescription)")
            }
            await Self.letOthersRun()
        }
    }

    /// Runs what is due now, and gives way to tasks until they bring nothing new.
    func settle() async {
        check(
            !isCurrent,
            """
            \(self) is advanced by a task that runs on it: the advance would wait for itself; advance \
            it from a task that has another executor
            """)
        var calm = 0
        var rounds = 0
        while calm < Self.calmRounds {
            let isIdle = queuedPosts == 0 && nextDeadline.map { $0 > now } ?? true
            if !isIdle {
                guard refuseToBeStuck(move(to: now)) else { return }
                calm = 0
                rounds += 1
                if rounds > Self.roundsPerInstant {
                    refuseToBeStuck(.stuck)
                }
            }
            await Self.letOthersRun()
            calm += 1
        }
    }

    /// Ends once a task of the lowest priority had its turn on the global executor: what was ready
    /// before it has begun by then.
    private static func letOthersRun() async {
        await Task.detached(priority: .background) { await Task.yield() }.value
    }
}
