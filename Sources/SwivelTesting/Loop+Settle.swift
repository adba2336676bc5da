// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// How the work of one instant ended.
enum Settlement {
    /// Nothing is left to run, or what is left was waited for long enough.
    case settled
    /// Time must not move: the loop is over, or the caller was cancelled.
    case ended
    /// Turns of the loop make more work for the same instant, again and again.
    case stuck
    /// So do tasks and the loop in turn.
    case circles
}

/// The part of an advance that lets tasks go on before time moves.
extension Loop {
    /// How many rounds in a row must bring nothing new, where tasks cannot be followed.
    private static let calmRounds = 20
    /// How many rounds one instant may take there.
    fileprivate static let roundsPerInstant = 100_000

    /// How many rounds tasks get that went out of sight, where the system says nothing of threads.
    private static let roundsOutOfSight = 10
    /// The priorities for which the runtime's pool has a queue each.
    private static let priorities: [UInt8] = [9, 17, 21, 25, 33]

    /// Whether nothing is left to run at this instant.
    private var isIdle: Bool { queuedPosts == 0 && nextDeadline.map { $0 > now } ?? true }

    /// The work that this loop has sent away; `nil` if it cannot be followed. The running task
    /// directs the loop.
    func followedErrands(_ caller: Caller) -> Errands? {
        if isCurrent {
            caller.trap(
                """
                \(self) is advanced by a task that runs on it: the advance would wait for itself; \
                advance it from a task that has another executor
                """)
        }
        guard JobHook.isInPlace, let errands = manual?.errands else {
            JobHook.reportIfDisplaced(caller)
            return nil
        }
        Accounts.shared.direct(errands)
        return errands
    }

    /// Lets the main actor run the jobs that are queued there, before an advance moves time: the
    /// caller may have made a task on it, and the runtime does not report that actor's jobs.
    func letMainActorRun(_ caller: Caller) async {
        if followedErrands(caller) != nil {
            await MainTurn.take(atMost: grace)
        }
    }

    /// Real time for work that may never come back, and need not.
    fileprivate var grace: Duration { (manual?.patience ?? .zero) / 100 }

    /// Runs the work that is due now, and waits until the tasks that this has resumed sleep, have
    /// ended, or wait for something else.
    ///
    /// Returns false if time must not move: the loop is over, or the caller was cancelled.
    @discardableResult
    func settle(_ caller: Caller, untilCancelled endsEarly: Bool = true) async -> Bool {
        switch await settlement(caller, untilCancelled: endsEarly) {
        case .settled: true
        case .ended: false
        case .stuck, .circles: refuseToBeStuck(.stuck, caller)
        }
    }

    /// As ``settle(_:untilCancelled:)``, for a caller that work without end does not trap. It
    /// `findsCircles` of tasks and the loop, on which an advance only loses its patience.
    func settlement(
        _ caller: Caller, untilCancelled endsEarly: Bool = true, findsCircles: Bool = false
    ) async -> Settlement {
        guard let errands = followedErrands(caller) else {
            return await settleByGivingWay(caller)
        }
        var patience = Patience(errands, of: self)
        while true {
            if !isIdle {
                let progress = move(to: now)
                if progress == .stuck { return .stuck }
                guard refuseToBeStuck(progress, caller) else { return .ended }
                if patience.hasCircled(), findsCircles { return .circles }
            }
            if endsEarly, Task.isCancelled {
                return .ended
            }
            if errands.isQuiet, isIdle {
                if !errands.takeLossOfSight() || patience.isPastGrace() {
                    return .settled
                }
                await Self.giveWay(for: errands, atMost: grace)
            } else if patience.isOver() {
                return findsCircles && patience.circles ? .circles : .settled
            } else if !errands.isQuiet {
                await patience.wait(untilCancelled: endsEarly)
            }
        }
    }

    /// Lets tasks go on that are out of sight, until they are over, come into sight, or wait for
    /// something else.
    ///
    /// They may be on the main actor, which runs its jobs in order: once it has run one that is
    /// queued now, it has run those before it. A `Task.yield()` inside an actor gives its job to the
    /// runtime's pool past the hook: once the pool has started a job of each priority, it has started
    /// that one, and its thread is ready to run until the job has come to the hook.
    private static func giveWay(for errands: Errands, atMost limit: Duration) async {
        await MainTurn.take(atMost: limit)
        for priority in priorities where errands.isQuiet {
            await Errands.withoutFollowing {
                Task.detached(priority: TaskPriority(rawValue: priority)) {}
            }.value
        }
        guard errands.isQuiet, !OtherThreads.letRun(atMost: limit) else { return }
        for _ in 0..<roundsOutOfSight where errands.isQuiet {
            await letOthersRun()
        }
    }

    /// The form of `settle` for a runtime that does not report its jobs.
    private func settleByGivingWay(_ caller: Caller) async -> Settlement {
        var calm = 0
        var rounds = 0
        while calm < Self.calmRounds {
            if !isIdle {
                let progress = move(to: now)
                if progress == .stuck || rounds >= Self.roundsPerInstant { return .stuck }
                guard refuseToBeStuck(progress, caller) else { return .ended }
                calm = 0
                rounds += 1
            }
            await Self.letOthersRun()
            calm += 1
        }
        return Task.isCancelled ? .ended : .settled
    }

    /// Returns once a task of the lowest priority had its turn on the global executor: tasks that
    /// were ready before it have mostly started by then.
    static func letOthersRun() async {
        await Errands.withoutFollowing {
            Task.detached(priority: .background) { await Task.yield() }
        }.value
    }
}

/// Measures how long an advance waits at one instant for work that may never return.
private struct Patience {
    private static let roundsOfACircle = 50

    private let errands: Errands
    private let loop: Loop
    private let limit: Duration
    private let grace: Duration
    /// When the first wait or look began.
    private var began: ContinuousClock.Instant?
    /// How often the loop has run something, and when it last has.
    private var rounds = 0
    private var ran: ContinuousClock.Instant?
    private var pause = Duration.milliseconds(1)

    init(_ errands: Errands, of loop: Loop) {
        self.errands = errands
        self.loop = loop
        limit = loop.manual?.patience ?? .zero
        grace = loop.grace
    }

    /// Waits until no errand is under way, or for a short time: an errand may block its thread
    /// until the loop has run its post.
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

    /// The loop has run what tasks have sent it. Returns whether it has so often that this has no end.
    mutating func hasCircled() -> Bool {
        rounds += 1
        ran = .now
        return rounds > Loop.roundsPerInstant
    }

    /// Whether tasks and the loop were still making work for each other, once the patience is over. A
    /// task that was only slow sends little.
    var circles: Bool {
        guard let ran, rounds >= Self.roundsOfACircle else { return false }
        return ran.duration(to: .now) < limit / 4
    }

    /// Whether tasks out of sight have had their time.
    mutating func isPastGrace() -> Bool { waited().map { $0 >= grace } ?? false }

    /// The time since the first wait or look; `nil`: this is the first.
    private mutating func waited() -> Duration? {
        defer { began = began ?? .now }
        return began?.duration(to: .now)
    }

    /// Whether time moves on although errands are under way. The advance does not wait for these
    /// again.
    mutating func isOver() -> Bool {
        guard let waited = waited() else { return false }
        if waited >= grace / 2 {
            errands.forgetAbsent()
        }
        // A task that a test has just made may block its thread until the test goes on.
        if waited >= grace, errands.count(.resumed) == 0 {
            errands.giveUp(.made)
        }
        guard waited >= limit else { return false }
        errands.giveUp(.resumed)
        errands.giveUp(.made)
        Diagnostics.report(
            """
            time moves on from \(loop.elapsedTime) on \(loop) after \(waited) of real time, although \
            tasks or closures that the loop has resumed or sent elsewhere have not come back: they \
            compute, block a thread, or go on without end at this instant. Let them sleep on the \
            loop, wait with 'await', or make the loop with more patience
            """)
        return true
    }
}
