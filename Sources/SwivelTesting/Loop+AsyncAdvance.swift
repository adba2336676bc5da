// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Loop {
    /// As the form that blocks, for tests with tasks: before time moves on, tasks that this loop has
    /// resumed run until they sleep again, end, or wait for something else.
    ///
    /// That is exact, beside any load, for tasks on the global executor, in actors, and on the loop's
    /// own executors, for whatever these start or resume in turn, for closures that they send to
    /// ``ExecutionContext/background`` or a dispatch queue, and for what the calling task has started
    /// before. On the main actor a task is followed as long as the main thread takes its jobs. One on
    /// an executor of another make is out of sight, and given time; so is one that waits for a thread
    /// of your own, or for real time. Where such a task matters, wait for its next sleep with
    /// ``waitForPending(_:patience:)``.
    ///
    /// A task that goes on for as long as the loop's patience (see `manual`) is not waited for again
    /// before it sleeps; debug builds report it. One that has only just been made by the caller may
    /// take a hundredth of that: it may block its thread until the test goes on. A cancelled caller
    /// gets back at the present instant.
    ///
    /// To see jobs come and go, the first manual loop of a process takes the Swift runtime's hook for
    /// jobs of the global executor, and passes on to whoever had it before. Where that is not
    /// possible, and while others have taken it over, all tasks are given time, and no more.
    ///
    /// **Thread:** any task that does not itself run on the loop, one at a time.
    /// - Complexity: That of the turns; about a microsecond for each instant, and for each step of a
    ///   task.
    public func advance(to instant: LoopClock.Instant) async {
        _ = virtualTime("advance(to:)")
        guard await settle() else { return }
        while let next = nextDeadline, next <= instant {
            guard refuseToBeStuck(move(to: max(next, now))), await settle() else { return }
        }
        if refuseToBeStuck(move(to: instant)) {
            await settle()
        }
    }

    /// As `advance(to:)`, by a duration.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// As the form that blocks, for tests with tasks; see `advance(to:)`.
    ///
    /// - Returns: As the form that blocks; `nil` too if the caller was cancelled first.
    @discardableResult
    public func advanceToNextDeadline() async -> LoopClock.Instant? {
        _ = virtualTime("advanceToNextDeadline()")
        guard await settle() else { return nil }
        while nextDeadline != nil {
            let fired = metrics.fired
            guard refuseToBeStuck(moveToNextInstant()) else { return nil }
            let isThere = metrics.fired != fired
            let instant = now
            let goesOn = await settle()
            if isThere {
                return instant
            }
            guard goesOn else { return nil }
        }
        return nil
    }

    /// As the form that blocks, for tests with tasks; see `advance(to:)`.
    @discardableResult
    public func runUntilIdle(limit: Int = 100_000) async throws(NeverIdle) -> Duration {
        _ = virtualTime("runUntilIdle()")
        let start = now
        var instants = 0
        while await settle(), nextDeadline != nil {
            if instants >= limit {
                throw NeverIdle(self, after: instants)
            }
            instants += 1
            let progress = moveToNextInstant()
            if progress == .stuck {
                throw NeverIdle(self, after: instants)
            }
            guard refuseToBeStuck(progress) else { break }
        }
        return start.duration(to: now)
    }

    /// Waits until so many timers wait on the loop, running what is due now meanwhile: until the
    /// tasks under test sleep.
    ///
    /// - Parameters:
    ///   - count: How many, at least.
    ///   - patience: Real time after which they are not expected any more.
    /// - Throws: ``SwivelError`` with ``SwivelError/Code/timedOut``, which names what does wait, or
    ///   with ``SwivelError/Code/cancelled``.
    public func waitForPending(
        _ count: Int = 1, patience: Duration = .seconds(10)
    ) async throws(SwivelError) {
        _ = virtualTime("waitForPending(_:)")
        let errands = followedErrands()
        let ends = ContinuousClock.now + patience
        while true {
            refuseToBeStuck(move(to: now))
            let pending = pendingNodes().count
            if pending >= count {
                return
            }
            if Task.isCancelled {
                throw SwivelError(.cancelled, "the wait for timers on \(self) was cancelled")
            }
            guard ContinuousClock.now < ends else {
                throw SwivelError(
                    .timedOut,
                    "\(pending) timers wait on \(self), not \(count). \(pendingDescription)")
            }
            let pause = Pause()
            if let errands, errands.whenQuiet({ pause.end() }) {
                await pause.wait(atMost: .milliseconds(1))
            } else {
                await Self.letOthersRun()
            }
        }
    }
}
