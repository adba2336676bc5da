// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// The work that a manual loop has sent to other threads, until it returns: virtual time waits for
/// it.
///
/// Work that an errand sends away is an errand of the same account. So a task is followed from
/// executor to executor, as long as these report the jobs that they run.
package final class Errands: Sendable {
    /// The reason why work is under way.
    package enum Kind: Int, Sendable {
        /// The loop's closures have caused it.
        case resumed
        /// A test has made it, and the loop has not touched it yet.
        case made
    }

    fileprivate struct Tally {
        /// Errands that are under way and not given up.
        var away = 0
        /// How often the errands under way were given up.
        var round = 0
    }

    private struct State {
        var tallies = [Tally(), Tally()]
        /// The addresses of tasks that the loop has resumed and whose jobs nobody saw queued. A
        /// task that has ended stays here.
        var absent: Set<UInt> = []
        /// Whether an errand has returned whose task is out of sight.
        var hasLostSight = false
        var waiting: [@Sendable () -> Void] = []

        mutating func depart(_ errand: Errand) {
            guard !errand.isAway else { return }
            errand.round = tallies[errand.kind.rawValue].round
            errand.isAway = true
            tallies[errand.kind.rawValue].away += 1
        }

        mutating func arrive(_ errand: Errand) {
            if isCounted(errand) {
                tallies[errand.kind.rawValue].away -= 1
            }
            errand.isAway = false
        }

        private func isCounted(_ errand: Errand) -> Bool {
            errand.isAway && errand.round == tallies[errand.kind.rawValue].round
        }

        var isQuiet: Bool { absent.isEmpty && tallies.allSatisfy { $0.away == 0 } }

        mutating func takeWaiting() -> [@Sendable () -> Void] {
            guard isQuiet else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    /// Whether there is an account. Nothing is followed in a process without virtual time.
    static let isKept = Atomic(false)
    /// More absent tasks than this are not looked for.
    private static let maximumAbsent = 4096

    // The values of a thread's word that are no errand's address.
    /// The thread's work is not followed.
    private static let unfollowed: UInt = 1
    /// The thread is resuming a task and has not sent its job.
    private static let resuming: UInt = 2
    /// The thread has sent that job.
    private static let hasSent: UInt = 3

    private let state = Lock(State())

    /// An account without errands.
    package init() {
        Self.isKept.store(true, ordering: .relaxed)
    }

    /// Whether no errand is under way, and no task absent.
    package var isQuiet: Bool { state.withLock { $0.isQuiet } }

    /// How many errands of this kind are under way.
    package func count(_ kind: Kind) -> Int { state.withLock { $0.tallies[kind.rawValue].away } }

    /// Calls `body` as soon as all is quiet. False: it is.
    package func whenQuiet(_ body: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isQuiet { state.waiting.append(body) }
            return !state.isQuiet
        }
    }

    /// Stops waiting for the errands of this kind that are under way.
    package func giveUp(_ kind: Kind) {
        change { $0.tallies[kind.rawValue] = Tally(round: $0.tallies[kind.rawValue].round + 1) }
    }

    /// Stops waiting for absent tasks.
    package func forgetAbsent() {
        change { $0.absent = [] }
    }

    /// The task is where it can be followed, or waits on the loop.
    package func find(_ task: UInt) {
        change { _ = $0.absent.remove(task) }
    }

    /// Changes the account, and calls those who wait if all is quiet then.
    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            return state.takeWaiting()
        }
        waiting.forEach { $0() }
    }

    /// Whether, since the last call, an errand that the loop has caused returned and left its task
    /// out of sight: the task has ended, waits for something other than a loop, or went to an
    /// executor that does not report its jobs.
    package func takeLossOfSight() -> Bool {
        state.withLock { state in
            defer { state.hasLostSight = false }
            return state.hasLostSight
        }
    }

    /// Sends an errand. Its ``Errand/run(_:)`` must follow. **Thread:** any.
    package func send(_ kind: Kind) -> Errand {
        if Self.word == Self.resuming {
            Self.word = Self.hasSent
        }
        let errand = Errand(self, kind)
        depart(errand)
        return errand
    }

    func depart(_ errand: Errand) {
        state.withLock { $0.depart(errand) }
    }

    func arrive(_ errand: Errand, losesSight: Bool) {
        change { state in
            state.arrive(errand)
            state.hasLostSight =
                state.hasLostSight || losesSight && errand.kind == .resumed
        }
    }
}

extension Errands {
    /// The word of this thread: the address of its errand, or one of those above.
    private static var word: UInt {
        get { Trampoline.ofThread.pointee.errand }
        set { Trampoline.ofThread.pointee.errand = newValue }
    }

    /// The errand that this thread runs.
    static var current: Errand? {
        let word = Self.word
        return UnsafeRawPointer(bitPattern: word > hasSent ? word : 0).map {
            Unmanaged<Errand>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The account on which this thread sends work away: its manual loop's, or that of the errand
    /// that it runs.
    package static var sender: (errands: Errands, kind: Kind)? {
        guard isKept.load(ordering: .relaxed), !isUnfollowed else { return nil }
        if let loop = Loop.current {
            return loop.manual?.errands.map { ($0, .resumed) }
        }
        return current.map { ($0.errands, $0.kind) }
    }

    /// Whether the caller is inside ``withoutFollowing(_:)``.
    package static var isUnfollowed: Bool { word == unfollowed }

    /// Runs `body`. Work that it sends away is not followed.
    @discardableResult
    package static func withoutFollowing<R>(_ body: () -> R) -> R {
        let before = word
        word = unfollowed
        defer { word = before }
        return body()
    }

    /// The work as an errand of its sender, if the sender is followed.
    @inline(__always)
    package static func following(
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        isKept.load(ordering: .relaxed) ? errand(of: work) : work
    }

    @inline(never)
    private static func errand(
        of work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        guard let (errands, kind) = sender else { return work }
        let errand = errands.send(kind)
        return { errand.run(work) }
    }

    /// The thread's task is about to wait in a node of `loop`, and its errand to return.
    @inline(__always)
    static func fallAsleep(on loop: Loop) {
        if let errands = loop.manual?.errands {
            current?.isAsleep = true
            withUnsafeCurrentTask { task in
                // A task's address, as in its continuation.
                task.map { errands.find(unsafeBitCast($0, to: UInt.self)) }
            }
        }
    }

    /// The thread's task goes on: its wait in a node of `loop` is over, or was before it began.
    @inline(__always)
    static func awake(on loop: Loop) {
        if loop.manual != nil { current?.isAsleep = false }
    }

    /// Resumes the task of a continuation from a loop's closure.
    @inline(__always)
    static func resume<Value: Sendable, Failure>(
        _ task: UnsafeContinuation<Value, Failure>, with result: Result<Value, Failure>
    ) {
        if isKept.load(ordering: .relaxed), let loop = Loop.current,
            let errands = loop.manual?.errands
        {
            errands.watch(unsafeBitCast(task, to: UInt.self), on: loop) {
                task.resume(with: result)
            }
        } else {
            task.resume(with: result)
        }
    }

    /// Runs `resume`, and remembers the task unless its job was seen on the way.
    @inline(never)
    private func watch(_ task: UInt, on loop: Loop, _ resume: () -> Void) {
        let before = Self.word
        Self.word = Self.resuming
        let posts = swivel__own_posts(loop.record)
        // First: the task may sleep again before this returns.
        state.withLock { state in
            if state.absent.count >= Self.maximumAbsent { state.absent = [] }
            state.absent.insert(task)
        }
        resume()
        if Self.word == Self.hasSent || swivel__own_posts(loop.record) != posts {
            find(task)
        }
        Self.word = before
    }
}
