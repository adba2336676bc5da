// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// How the work of one instant ended.
enum InstantEnd {
    /// Nothing is left to run, or what is left was waited for long enough.
    case quiet
    /// Time must not move: the loop is over, or the caller was cancelled.
    case ended
    /// Turns of the loop make more work for the same instant, again and again.
    case stuck
    /// So do tasks and the loop in turn.
    case circles
}

/// The part of an advance that lets tasks continue before time moves.
extension Loop {
    /// How many rounds in a row must bring nothing new if tasks cannot be tracked.
    private static let calmRounds = 20
    /// How many rounds one instant may take then.
    fileprivate static let roundsPerInstant = 100_000
    /// How many rounds untracked tasks get if the system reports no states of threads.
    private static let untrackedRounds = 10
    /// The priorities for which the runtime's pool has a queue each.
    private static let priorities: [UInt8] = [9, 17, 21, 25, 33]

    /// Whether nothing is left to run at this instant.
    private var isIdle: Bool { queuedPosts == 0 && nextDeadline.map { $0 > now } ?? true }

    /// Real time for work that may never come back, and need not.
    fileprivate var grace: Duration { (manual?.patience ?? .zero) / 100 }

    /// The work that this loop has in flight; `nil`: untracked. The running task directs the loop.
    func trackedWork(_ caller: Caller) -> InFlight? {
        if isCurrent {
            caller.trap(
                """
                \(self) is advanced by a task that runs on it: the advance would wait for itself; \
                advance it from a task that has another executor
                """)
        }
        guard JobHook.isInPlace, let inFlight else {
            JobHook.reportIfDisplaced(caller)
            return nil
        }
        Directors.shared.direct(inFlight)
        return inFlight
    }

    /// Lets the main actor run the jobs that are queued there, before an advance moves time: the
    /// caller may have made a task on it, and the runtime does not report that actor's jobs.
    func letMainActorRun(_ caller: Caller) async {
        if trackedWork(caller) != nil { await MainTurn.take(atMost: grace) }
    }

    /// Runs the work that is due now, and waits until the tasks that this has resumed sleep, have
    /// ended, or wait for something else. Traps if that has no end. Returns false if time must not
    /// move: the loop is over, or the caller was cancelled.
    @discardableResult
    func finishInstant(_ caller: Caller, untilCancelled endsEarly: Bool = true) async -> Bool {
        switch await instantEnd(caller, untilCancelled: endsEarly) {
        case .quiet: true
        case .ended: false
        case .stuck, .circles: refuseToBeStuck(.stuck, caller)
        }
    }

    /// As ``finishInstant(_:untilCancelled:)``, without the trap. It `findsCircles` of tasks and
    /// the loop, on which an advance only loses its patience.
    func instantEnd(
        _ caller: Caller, untilCancelled endsEarly: Bool = true, findsCircles: Bool = false
    ) async -> InstantEnd {
        guard let inFlight = trackedWork(caller) else {
            return await instantEndUntracked(caller)
        }
        var patience = Patience(inFlight, of: self)
        while true {
            if !isIdle {
                let progress = move(to: now)
                if progress == .stuck { return .stuck }
                guard refuseToBeStuck(progress, caller) else { return .ended }
                if patience.hasCircled(), findsCircles { return .circles }
            }
            if endsEarly, Task.isCancelled { return .ended }
            if inFlight.isZero, isIdle {
                if !inFlight.takeLostTask() || patience.isPastGrace() { return .quiet }
                await Self.letUntrackedRun(for: inFlight, atMost: grace)
            } else if patience.isOver() {
                return findsCircles && patience.circles ? .circles : .quiet
            } else if !inFlight.isZero {
                await patience.wait(untilCancelled: endsEarly)
            }
        }
    }

    /// Lets untracked tasks continue, until they are over, are tracked again, or wait for something
    /// else. They may be on the main actor, which runs its jobs in order: once it has run one that
    /// is queued now, it has run those before it. A `Task.yield()` inside an actor gives its job to
    /// the runtime's pool past the hook: once the pool has started a job of each priority, it has
    /// started that one, and its thread is ready to run until the job has come to the hook.
    private static func letUntrackedRun(for inFlight: InFlight, atMost limit: Duration) async {
        await MainTurn.take(atMost: limit)
        for priority in priorities where inFlight.isZero {
            await TrackedWork.withoutTracking {
                Task.detached(priority: TaskPriority(rawValue: priority)) {}
            }.value
        }
        guard inFlight.isZero, !OtherThreads.letRun(atMost: limit) else { return }
        for _ in 0..<untrackedRounds where inFlight.isZero { await letOthersRun() }
    }

    /// The form for a runtime that does not report its jobs.
    private func instantEndUntracked(_ caller: Caller) async -> InstantEnd {
        var (calm, rounds) = (0, 0)
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
        return Task.isCancelled ? .ended : .quiet
    }

    /// Returns once a task of the lowest priority had its turn on the global executor: tasks that
    /// were ready before it have mostly started by then.
    static func letOthersRun() async {
        await TrackedWork.withoutTracking {
            Task.detached(priority: .background) { await Task.yield() }
        }.value
    }
}

/// Measures how long an advance waits at one instant for work that may never return.
private struct Patience {
    private static let roundsOfACircle = 50

    private let inFlight: InFlight
    private let loop: Loop
    private let limit: Duration
    private let grace: Duration
    /// When the first wait or check began.
    private var began: ContinuousClock.Instant?
    /// How often the loop has run something, and when it last has.
    private var rounds = 0
    private var ran: ContinuousClock.Instant?
    private var moment = Duration.milliseconds(1)

    init(_ inFlight: InFlight, of loop: Loop) {
        self.inFlight = inFlight
        self.loop = loop
        limit = loop.manual?.patience ?? .zero
        grace = loop.grace
    }

    /// Waits until nothing is in flight, or for a short time: tracked work may block its thread
    /// until the loop has run its post.
    mutating func wait(untilCancelled endsEarly: Bool) async {
        began = began ?? .now
        let pause = Pause()
        guard inFlight.whenZero({ pause.end() }) else { return }
        defer { moment = min(moment * 2, .milliseconds(16)) }
        let moment = moment
        await withTaskCancellationHandler {
            await pause.wait(atMost: moment)
        } onCancel: {
            if endsEarly { pause.end() }
        }
    }

    /// Counts that the loop has run what tasks have sent it. Returns whether that has no end.
    mutating func hasCircled() -> Bool {
        rounds += 1
        ran = .now
        return rounds > Loop.roundsPerInstant
    }

    /// Whether tasks and the loop were still making work for each other, once the patience is over.
    /// A task that was only slow sends little.
    var circles: Bool {
        guard let ran, rounds >= Self.roundsOfACircle else { return false }
        return ran.duration(to: .now) < limit / 4
    }

    /// Whether untracked tasks have had their time.
    mutating func isPastGrace() -> Bool { waited().map { $0 >= grace } ?? false }

    /// The time since the first wait or check; `nil`: this is the first.
    private mutating func waited() -> Duration? {
        defer { began = began ?? .now }
        return began?.duration(to: .now)
    }

    /// Whether time moves on although work is in flight. The advance does not wait for it again.
    mutating func isOver() -> Bool {
        guard let waited = waited() else { return false }
        if waited >= grace / 2 { inFlight.forgetUnreported() }
        // A task that a test has just made may block its thread until the test continues.
        if waited >= grace, inFlight.count(.resumed) == 0 { inFlight.giveUp(.made) }
        guard waited >= limit else { return false }
        inFlight.giveUp(.resumed)
        inFlight.giveUp(.made)
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
