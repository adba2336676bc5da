// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Loop {
    /// Moves a manual loop's time to `instant`, in tests with tasks: before time moves on, the
    /// tasks that this loop has resumed run until they sleep again, end, or wait for something
    /// else.
    ///
    /// That is exact, under any load, for tasks on the global executor, in actors, and on the
    /// loop's own executors, for the tasks that these start or resume in turn, for closures that
    /// they send to `ExecutionContext.background` or a dispatch queue, and for tasks that the
    /// caller has started before. A task on the main actor is tracked as long as the main thread
    /// takes its jobs. A task on an executor that is not Swift's or Swivel's is not; nor is
    /// one that waits for a thread of your own, or for real time. The advance gives such tasks some
    /// real time. Where one matters, wait for its next sleep with
    /// ``waitForPending(_:patience:file:line:)``.
    ///
    /// A task that computes for as long as the loop's patience (see `manual`) is not waited for
    /// again before it sleeps; debug builds report it. A task that the caller has only just made
    /// may take a hundredth of that: it may block its thread until the test continues. If the
    /// caller is cancelled, the advance ends at the present instant.
    ///
    /// To see jobs come and go, a process holds the Swift runtime's hook for jobs of the global
    /// executor while a manual loop is open, and passes jobs on to its former owner, who gets it
    /// back with the last loop's end. If that is not possible, or other code has taken the hook
    /// since, the advance gives all tasks some real time and tracks none; it reports the latter,
    /// once, in release builds too.
    ///
    /// **Thread:** any task that does not itself run on the loop, one at a time.
    /// - Complexity: That of the turns; about a microsecond for each instant and for each step of a
    ///   task.
    public func advance(
        to instant: LoopClock.Instant, file: StaticString = #fileID, line: UInt = #line
    ) async {
        let caller = Caller("advance(to:)", file, line)
        virtualTime(caller)
        await letMainActorRun(caller)
        guard await finishInstant(caller) else { return }
        while let next = nextDeadline, next <= instant {
            guard refuseToBeStuck(move(to: max(next, now)), caller), await finishInstant(caller)
            else {
                return
            }
        }
        if refuseToBeStuck(move(to: instant), caller) { await finishInstant(caller) }
    }

    /// Moves a manual loop's time by `duration`, in tests with tasks; see `advance(to:)`. Zero or
    /// less runs the work that is due now.
    /// - Complexity: That of the turns.
    public func advance(
        by duration: Duration, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await advance(to: now.advanced(by: duration), file: file, line: line)
    }

    /// Runs the work that is due now, then moves a manual loop's time to the next deadline and runs
    /// the work that is due there, in tests with tasks; see `advance(to:)`.
    /// - Returns: The deadline; `nil` if no timer waits that ever fires, or the caller was
    ///   cancelled first.
    /// - Complexity: That of the turns.
    @discardableResult
    public func advanceToNextDeadline(
        file: StaticString = #fileID, line: UInt = #line
    ) async -> LoopClock.Instant? {
        let caller = Caller("advanceToNextDeadline()", file, line)
        virtualTime(caller)
        await letMainActorRun(caller)
        guard await finishInstant(caller) else { return nil }
        var reached: LoopClock.Instant?
        while reached == nil, nextDeadline != nil {
            let fired = metrics.fired
            guard refuseToBeStuck(moveToNextInstant(), caller) else { break }
            reached = metrics.fired == fired ? nil : now
            guard await finishInstant(caller) else { break }
        }
        return reached
    }

    /// Moves a manual loop's time from deadline to deadline until nothing is left to run, `limit`
    /// deadlines at most, in tests with tasks; see `advance(to:)`.
    /// - Returns: The virtual time that has passed.
    /// - Throws: ``NeverIdle``, which names the work that is still pending: a timer that repeats,
    ///   or work that makes more work for the same instant, also by way of tasks.
    /// - Complexity: That of the turns.
    @discardableResult
    public func runUntilIdle(
        limit: Int = 100_000, file: StaticString = #fileID, line: UInt = #line
    ) async throws(NeverIdle) -> Duration {
        let caller = Caller("runUntilIdle()", file, line)
        virtualTime(caller)
        let start = now
        var instants = 0
        await letMainActorRun(caller)
        while true {
            let end = await instantEnd(caller, findsCircles: true)
            let isEndless = end == .stuck || end == .circles
            let isIdle = end == .ended || nextDeadline == nil
            if isEndless || !isIdle && instants >= limit { throw NeverIdle(self, after: instants) }
            if isIdle { return start.duration(to: now) }
            instants += 1
            let progress = moveToNextInstant()
            if progress == .stuck { throw NeverIdle(self, after: instants) }
            guard refuseToBeStuck(progress, caller) else { return start.duration(to: now) }
        }
    }

    /// Waits until at least `count` timers wait on the loop, for example until the tasks under test
    /// sleep, for `patience` of real time, and runs the work that is due now; see `advance(to:)`.
    /// - Throws: `SwivelError` with `SwivelError.Code.timedOut`, which names the timers that do
    ///   wait, or with `SwivelError.Code.cancelled`.
    /// - Complexity: That of the turns; a pass over all timers about once a millisecond.
    public func waitForPending(
        _ count: Int = 1, patience: Duration = .seconds(10), file: StaticString = #fileID,
        line: UInt = #line
    ) async throws(SwivelError) {
        let caller = Caller("waitForPending(_:)", file, line)
        virtualTime(caller)
        let inFlight = trackedWork(caller)
        let ends = ContinuousClock.now + patience
        while true {
            refuseToBeStuck(move(to: now), caller)
            let pending = pendingTimers().count { !$0.isOnItsWay }
            if pending >= count { return }
            if Task.isCancelled {
                throw SwivelError(.cancelled, "the wait for timers on \(self) was cancelled")
            }
            guard ContinuousClock.now < ends else {
                throw SwivelError(
                    .timedOut,
                    "\(pending) timers wait on \(self), not \(count). \(pendingDescription)")
            }
            let pause = Pause()
            if let inFlight, inFlight.whenZero({ pause.end() }) {
                await pause.wait(atMost: .milliseconds(1))
            } else {
                await Self.letOthersRun()
            }
        }
    }
}
