// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The state of a ``DispatchedTimer``. Time is an argument; closures leave the state to be run and
/// released outside the timer's lock.
struct DispatchedState {
    enum Phase {
        /// The alarm is set.
        case waiting
        /// The closure is on its way to its context.
        case due
        /// The closure runs.
        case running
        case over
    }

    enum Run {
        case once(@Sendable () -> Void)
        case tick(@Sendable (Tick) -> Void)

        /// The closure's words, to be compared only.
        var words: swivel_work {
            let words =
                switch self {
                case .once(let run): Work.words(run)
                case .tick(let run): RepeatingWork.words(run)
                }
            defer { Work.release(words) }
            return words
        }
    }

    private(set) var phase = Phase.waiting
    /// When the closure is due; 0: at once, in order with posts.
    private(set) var deadline: UInt64
    /// How much later the alarm may fire.
    let leeway: UInt64
    /// `nil` once a one-shot has started, and once the timer is over.
    private(set) var run: Run?
    /// A repeat's, from its next tick on.
    private(set) var grid = swivel_grid()
    /// A repeat was moved while its closure runs.
    private var isMoved = false
    /// The context has a call that it has not made yet; the call starts what is due by then.
    private var isSent = false
    private var watchers: [@Sendable () -> Void] = []

    init(_ request: TimerRequest, now: LoopClock.Instant) {
        let asked = request.leeway.nanosecondsRoundedUp
        switch request.labelledBody {
        case .once(let run):
            leeway = asked
            self.run = .once(run)
            let instant = request.deadline(now: now)
            deadline = instant > now.nanoseconds ? instant : 0
        case .every(_, _, _, let run), .afterCompletion(_, let run):
            self.run = .tick(run)
            grid = request.grid(now: now) ?? grid
            let isPost = grid.first_ns == 0
            if isPost { grid.first_ns = max(now.nanoseconds, 1) }
            if grid.jitter_high > 0 { grid.seed = .random(in: 1 ... .max) }
            let due = swivel__grid_due(&grid)
            deadline = isPost ? 0 : due
            leeway = swivel__grid_leeway(&grid, asked)
        }
    }

    private var repeats: Bool { grid.interval_ns != 0 }

    /// Whether the closure will run (again).
    var isPending: Bool {
        switch phase {
        case .waiting, .due: true
        case .running: repeats
        case .over: false
        }
    }

    /// The deadline has come. Returns whether the context is to be called.
    mutating func fire() -> Bool {
        phase = .due
        defer { isSent = true }
        return !isSent
    }

    /// The context has called. Returns the closure, which the caller runs, and the tick of a
    /// repeat.
    mutating func start(_ now: UInt64) -> (Run, swivel_tick)? {
        isSent = false
        guard phase == .due, let run else { return nil }
        phase = .running
        guard repeats else {
            self.run = nil
            return (run, swivel_tick())
        }
        return (run, swivel__grid_take(&grid, deadline == 0 ? grid.first_ns : deadline, now))
    }

    /// The context has dropped the call. Returns whether that cancels the timer.
    mutating func drop() -> Bool {
        isSent = false
        return phase == .due
    }

    /// A repeat's closure has returned. Returns whether its alarm is to be set again.
    mutating func end(_ now: UInt64) -> Bool {
        guard phase == .running, repeats else { return false }
        phase = .waiting
        if !isMoved {
            swivel__grid_end(&grid, now)
            deadline = swivel__grid_due(&grid)
        }
        isMoved = false
        return true
    }

    /// Returns the closure to be released, and whether the timer was pending.
    mutating func cancel() -> (CancelResult, Run?, wasPending: Bool) {
        let wasPending = isPending
        switch phase {
        case .waiting, .due:
            phase = .over
            return (.cancelled, run.take(), wasPending)
        case .running:
            // A repeat has no further tick.
            grid.interval_ns = 0
            return (.running, nil, wasPending)
        case .over:
            return (.finished, nil, wasPending)
        }
    }

    /// Moves the timer to an instant; 0: now. Returns whether its alarm is to be set; `nil`: it is
    /// over, or in its last run.
    mutating func move(to instant: UInt64, now: UInt64) -> Bool? {
        guard isPending else { return nil }
        deadline = instant
        if repeats { grid.first_ns = instant == 0 ? now : instant }
        isMoved = phase == .running
        if phase == .due { phase = .waiting }
        return !isMoved
    }

    /// False: no closure runs.
    mutating func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard phase == .running else { return false }
        watchers.append(body)
        return true
    }

    /// A repeat's closure that runs no more. It is released before ``finish()``: a watch that comes
    /// during the release finds the timer running.
    mutating func takeRun() -> Run? { run.take() }

    /// The timer is over. Returns what waits for that.
    mutating func finish() -> [@Sendable () -> Void] {
        phase = .over
        return takeWatchers()
    }

    mutating func takeWatchers() -> [@Sendable () -> Void] {
        defer { watchers = [] }
        return watchers
    }
}
