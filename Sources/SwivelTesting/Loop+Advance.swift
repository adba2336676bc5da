// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Loop {
    /// How many turns one instant may take: work that has no end is detected in about a second.
    static let turnsPerInstant: UInt64 = 1_000_000
    /// Turns after which an advance reads the real clock.
    private static let turnsPerCheck: UInt64 = 200

    /// Moves a manual loop's time to `instant` and runs all work that is due on the way, each timer
    /// at its own instant, including timers that are armed on the way.
    ///
    /// Runs the work that is due now even if `instant` is now; an earlier one counts as now. Inside
    /// one of the loop's own closures only the clock moves, as if the closure had taken that long.
    /// On a loop that is shut down nothing happens. Traps when the work at one instant has no end,
    /// while another thread advances the loop, and on a real loop.
    ///
    /// **Thread:** any, one at a time. Closures run on it.
    /// - Complexity: That of the turns. No real time passes but theirs.
    public func advance(
        to instant: LoopClock.Instant, file: StaticString = #fileID, line: UInt = #line
    ) {
        let caller = Caller("advance(to:)", file, line)
        virtualTime(caller)
        refuseToBeStuck(move(to: instant), caller)
    }

    /// Moves a manual loop's time by `duration`; see `advance(to:)`. Zero or less: runs what is
    /// due.
    /// - Complexity: That of the turns.
    public func advance(by duration: Duration, file: StaticString = #fileID, line: UInt = #line) {
        advance(to: now.advanced(by: duration), file: file, line: line)
    }

    /// Runs the work that is due now, then moves a manual loop's time to the next deadline and runs
    /// the work that is due there; see `advance(to:)`.
    /// - Returns: The deadline; `nil` if no timer waits that ever fires.
    /// - Complexity: That of the turns.
    @discardableResult
    public func advanceToNextDeadline(
        file: StaticString = #fileID, line: UInt = #line
    ) -> LoopClock.Instant? {
        let caller = Caller("advanceToNextDeadline()", file, line)
        virtualTime(caller)
        refuseToBeStuck(move(to: now), caller)
        if isCurrent {
            guard nextDeadline != nil else { return nil }
            refuseToBeStuck(moveToNextInstant(), caller)
            return now
        }
        var isMoving = true
        while isMoving, nextDeadline != nil {
            let fired = metrics.fired
            isMoving = refuseToBeStuck(moveToNextInstant(), caller)
            if metrics.fired != fired { return now }
        }
        return nil
    }

    /// Moves a manual loop's time from deadline to deadline until nothing is left to run, `limit`
    /// deadlines at most; see `advance(to:)`. A timer whose deadline is never reached does not
    /// count.
    /// - Returns: The virtual time that has passed.
    /// - Throws: ``NeverIdle``, which names the work that is still pending: usually a repeating
    ///   timer.
    /// - Complexity: That of the turns.
    @discardableResult
    public func runUntilIdle(
        limit: Int = 100_000, file: StaticString = #fileID, line: UInt = #line
    ) throws(NeverIdle) -> Duration {
        let caller = Caller("runUntilIdle()", file, line)
        virtualTime(caller)
        let start = now
        var instants = 0
        var progress = move(to: now)
        while progress == .arrived, nextDeadline != nil, instants < limit {
            instants += 1
            progress = moveToNextInstant()
        }
        if progress == .stuck || progress == .arrived && nextDeadline != nil {
            throw NeverIdle(self, after: instants)
        }
        refuseToBeStuck(progress, caller)
        return start.duration(to: now)
    }

    /// Moves to the next instant at which the loop has something to do. No timer need fire there:
    /// the wheel sorts a crowded slot when it comes to it.
    func moveToNextInstant() -> ManualProgress {
        nextDeadline.map { move(to: max($0, now)) } ?? .arrived
    }

    /// Moves the time, and admits other threads' posts on the way if a seed orders them.
    func move(to instant: LoopClock.Instant) -> ManualProgress {
        guard let posts = manual?.posts, !isCurrent else { return runWatched(until: instant) }
        var progress = ManualProgress.arrived
        var flood = Flood(on: self)
        repeat {
            var rounds = Self.turnsPerInstant
            repeat {
                posts.admit(to: self)
                progress = runWatched(until: now)
                rounds -= 1
                flood.check()
            } while progress == .arrived && posts.count > 0 && rounds > 0
            if rounds == 0 { return .stuck }
            guard progress == .arrived, now < instant else { break }
            flood = Flood(on: self)
            progress = runWatched(until: min(instant, max(nextDeadline ?? .never, now)))
        } while progress == .arrived
        return progress
    }

    /// Runs until `instant`, and checks now and then whether the turns at one instant have no end.
    private func runWatched(until instant: LoopClock.Instant) -> ManualProgress {
        if isCurrent { return run(until: instant, turns: Self.turnsPerInstant) }
        var turns: UInt64 = 0
        var flood = Flood(on: self)
        var then = now
        while true {
            let progress = run(until: instant, turns: Self.turnsPerCheck)
            guard progress == .stuck else { return progress }
            turns = now == then ? turns + Self.turnsPerCheck : 0
            then = now
            if turns >= Self.turnsPerInstant { return .stuck }
            flood.check()
        }
    }

    /// Traps if an advance cannot go on. Returns whether it has arrived.
    @discardableResult
    func refuseToBeStuck(_ progress: ManualProgress, _ caller: Caller) -> Bool {
        switch progress {
        case .arrived: return true
        case .over: return false
        case .stuck:
            caller.trap(
                """
                time cannot move on from \(elapsedTime) on \(self): work that runs at this instant \
                makes more work for the same instant, \(Self.turnsPerInstant) turns in a row; a \
                closure that posts itself must stop, or wait, and one that lets time pass must be \
                quicker than its interval. \(pendingDescription)
                """)
        case .driven:
            caller.trap(
                "\(self) is being advanced by another thread; advance a loop from one at a time")
        }
    }
}

/// Watches how long other threads hold an advance at one instant by sending more than it can run.
private struct Flood {
    /// Real time after which this is a flood, unless the loop's patience is shorter.
    private static let limit = Duration.seconds(3)
    /// How much must come in that time: a thread that is merely busy sends less.
    private static let least: UInt64 = 100_000

    private let loop: Loop
    private let began = ContinuousClock.now
    private let sentBefore: UInt64
    /// How much had come at the last check.
    private var sent: UInt64

    init(on loop: Loop) {
        self.loop = loop
        sentBefore = loop.sentFromElsewhere
        sent = sentBefore
    }

    /// Traps if the flood lasts too long.
    mutating func check() {
        let sent = loop.sentFromElsewhere
        let isGoingOn = sent != self.sent
        self.sent = sent
        let limit = min(Self.limit, loop.manual?.patience ?? Self.limit)
        let time = began.duration(to: .now)
        guard isGoingOn, sent - sentBefore >= Self.least, time >= limit else { return }
        trap(
            """
            time cannot move on from \(loop.elapsedTime) on \(loop): other threads send it more than \
            it can run, \(sent - sentBefore) posts, timers and cancels in \(time) of real time, and \
            it never gets to the end of them; have that producer wait for the loop now and then, \
            stop it before the advance, or limit it with maxPendingPosts and tryExecute(_:)
            """)
    }
}
