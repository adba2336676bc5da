// SPDX-License-Identifier: Apache-2.0

/// The state that the threads of a ``WorkerPool`` share, under the pool's lock.
struct WorkerPoolState {
    /// The next step of a worker.
    enum Step {
        case run(@Sendable () -> Void)
        case end
    }

    /// How many threads run closures at once, and how many exist at most.
    let width: Int
    let limit: Int
    var queue = WorkQueue()
    /// Threads: all of them, those with nothing to do, and those in one of Swivel's waits.
    private(set) var threads = 0
    private(set) var idle = 0
    private(set) var blocked = 0
    /// How many of those that wait have no time limit.
    private var endless = 0
    /// Idle threads that were woken and have not looked at the queue yet.
    private var summoned = 0
    /// Closures started and waits ended: while it stands still nothing happens here.
    private var progress = 0
    /// Whether the system has refused the last thread that was asked for.
    private var isRefused = false
    /// Whether the pool has said that it is exhausted, and that it got no thread.
    private var hasReported = false
    private var hasReportedRefusal = false

    init(width: Int, limit: Int) {
        self.width = width
        self.limit = limit
    }

    /// Whether no thread is left that could run work, and none can be had.
    var isExhausted: Bool { blocked == threads && (threads >= limit || isRefused) }

    /// Wakes an idle thread for the work that waits, or counts a new one. True: the caller starts
    /// it.
    mutating func wakeOrClaimThread(_ sleepers: Sleepers) -> Bool {
        if idle > 0 {
            summonIdle(sleepers)
            return false
        }
        guard threads - blocked < width, threads < limit else { return false }
        threads += 1
        return true
    }

    /// Wakes an idle thread if work waits.
    mutating func passOn(_ sleepers: Sleepers) {
        if !queue.isEmpty, idle > 0 {
            summonIdle(sleepers)
        }
    }

    private mutating func summonIdle(_ sleepers: Sleepers) {
        idle -= 1
        summoned += 1
        sleepers.wakeOne()
    }

    /// Notes whether the system gave the thread that was claimed. Tells whether the pool has none,
    /// and whether that is to be reported.
    mutating func noteStart(_ hasStarted: Bool) -> (hasNone: Bool, reports: Bool) {
        isRefused = !hasStarted
        threads -= hasStarted ? 0 : 1
        let reports = !hasStarted && !hasReportedRefusal
        hasReportedRefusal = hasReportedRefusal || reports
        return (threads == 0, reports)
    }

    /// The next step of a worker; `nil`: it sleeps, and counts as idle until it is back.
    mutating func next(wasIdle: Bool, isLate: Bool) -> Step? {
        if wasIdle {
            if summoned > 0 {
                summoned -= 1
            } else {
                idle -= 1
            }
        }
        let isSurplus = threads - blocked > width
        if !isSurplus, let work = queue.popFirst() {
            progress += 1
            return .run(work)
        }
        if isSurplus || isLate {
            threads -= 1
            return .end
        }
        idle += 1
        return nil
    }

    mutating func beginBlocking(endlessly isEndless: Bool, _ sleepers: Sleepers) -> Bool {
        blocked += 1
        endless += isEndless ? 1 : 0
        return queue.isEmpty ? false : wakeOrClaimThread(sleepers)
    }

    mutating func endBlocking(endlessly isEndless: Bool) {
        blocked -= 1
        endless -= isEndless ? 1 : 0
        progress += 1
    }

    /// The pool's progress, if nothing but queued work could end its threads' waits; else `nil`.
    var stuckAt: Int? {
        isExhausted && endless == blocked && !queue.isEmpty ? progress : nil
    }

    /// Whether this is the first time that work waits for threads that all wait.
    mutating func claimReport() -> Bool {
        let isDue = !hasReported && isExhausted && !queue.isEmpty
        hasReported = hasReported || isDue
        return isDue
    }
}
