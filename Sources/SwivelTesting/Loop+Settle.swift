// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// How an advance lets tasks go on before time moves.
extension Loop {
    /// Rounds in a row that must bring nothing new where tasks cannot be followed.
    private static let calmRounds = 20
    /// Rounds that one instant may take there.
    private static let roundsPerInstant = 100_000

    /// Rounds for tasks that went out of sight.
    private static let roundsOutOfSight = 10

    /// Whether nothing is left to run at this instant.
    private var isIdle: Bool { queuedPosts == 0 && nextDeadline.map { $0 > now } ?? true }

    /// What this loop has sent away, where that can be followed. The running task directs it.
    func followedErrands() -> Errands? {
        check(
            !isCurrent,
            """
            \(self) is advanced by a task that runs on it: the advance would wait for itself; advance \
            it from a task that has another executor
            """)
        guard JobHook.isInPlace, let errands = manual?.errands else { return nil }
        Accounts.shared.direct(errands)
        return errands
    }

    /// Runs what is due now, and waits until the tasks that this has resumed sleep, have ended, or
    /// wait for something else.
    ///
    /// Returns false where time must not move: the loop is over, or the caller was cancelled.
    @discardableResult
    func settle(untilCancelled endsEarly: Bool = true) async -> Bool {
        guard let errands = followedErrands() else { return await settleByGivingWay() }
        var patience = Patience(errands, of: self)
        while true {
            if !isIdle, !refuseToBeStuck(move(to: now)) {
                return false
            }
            if endsEarly, Task.isCancelled {
                return false
            }
            if errands.isQuiet, isIdle {
                if !errands.takeLossOfSight() || patience.isPastGrace() {
                    return true
                }
                await Self.giveWay(for: errands, atMost: patience.grace)
            } else if patience.isOver() {
                return true
            } else if !errands.isQuiet {
                await patience.wait(untilCancelled: endsEarly)
            }
        }
    }

    /// Lets those go on who went where nobody follows them.
    ///
    /// The main actor is one of these places, and runs its jobs in order: once it has run one that is
    /// queued now, it has run what was there before.
    private static func giveWay(for errands: Errands, atMost limit: Duration) async {
        await MainTurn.take(atMost: limit)
        for _ in 0..<roundsOutOfSight where errands.isQuiet {
            await letOthersRun()
        }
    }

    /// As `settle`, where the runtime does not tell of its jobs.
    private func settleByGivingWay() async -> Bool {
        var calm = 0
        var rounds = 0
        while calm < Self.calmRounds {
            if !isIdle {
                guard refuseToBeStuck(move(to: now)) else { return false }
                calm = 0
                rounds += 1
                if rounds > Self.roundsPerInstant {
                    refuseToBeStuck(.stuck)
                }
            }
            await Self.letOthersRun()
            calm += 1
        }
        return !Task.isCancelled
    }

    /// Ends once a task of the lowest priority had its turn on the global executor: what was ready
    /// before it has begun by then, mostly.
    static func letOthersRun() async {
        await Errands.withoutFollowing {
            Task.detached(priority: .background) { await Task.yield() }
        }.value
    }
}

/// How long an advance waits at one instant for work that may never return.
private struct Patience {
    private let errands: Errands
    private let loop: Loop
    private let limit: Duration
    /// Real time for what may never come, and need not.
    var grace: Duration { limit / 100 }
    /// When the first wait began.
    private var began: ContinuousClock.Instant?
    private var pause = Duration.milliseconds(1)

    init(_ errands: Errands, of loop: Loop) {
        self.errands = errands
        self.loop = loop
        limit = loop.manual?.patience ?? .zero
    }

    /// Waits until no errand is under way, or for a moment: one may block its thread until the loop
    /// has run what it posted.
    mutating func wait(untilCancelled endsEarly: Bool) async {
        began = began ?? .now
        let pause = Pause()
        guard errands.whenQuiet({ pause.end() }) else { return }
        let moment = self.pause
        self.pause = min(moment * 2, .milliseconds(16))
        if endsEarly {
            await withTaskCancellationHandler {
                await pause.wait(atMost: moment)
            } onCancel: {
                pause.end()
            }
        } else {
            await pause.wait(atMost: moment)
        }
    }

    /// Whether what is out of sight has had its time.
    mutating func isPastGrace() -> Bool {
        guard let began else {
            self.began = .now
            return false
        }
        return began.duration(to: .now) >= grace
    }

    /// Whether time moves on although errands are under way. Those are not waited for again.
    mutating func isOver() -> Bool {
        guard let began else {
            self.began = .now
            return false
        }
        let waited = began.duration(to: .now)
        if waited >= grace / 2 {
            errands.forgetAbsent()
        }
        // What a test has just made may block its thread until the test goes on.
        if waited >= grace, errands.count(.resumed) == 0 {
            errands.giveUp(.made)
        }
        guard waited >= limit else { return false }
        let count = errands.giveUp(.resumed) + errands.giveUp(.made)
        Diagnostics.report(
            """
            time moves on from \(loop.elapsedTime) on \(loop) after \(waited) of real time, although \
            \(count) tasks or closures that the loop has resumed or sent elsewhere have not come \
            back: they compute, block a thread, or go on without end at this instant. Let them sleep \
            on the loop, wait with 'await', or make the loop with more patience
            """)
        return true
    }
}
