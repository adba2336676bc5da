// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Counts the tracked work of a manual loop, or of all loops that one task directs, from the call
/// that sends it to another thread until it returns. Work that tracked work sends is counted with
/// it, so a task is followed from executor to executor, as long as these report the jobs that they
/// run.
final class InFlight: WorkInFlight {
    /// The reason why work is in flight.
    enum Origin: Int, Sendable {
        /// The loop's closures have caused it.
        case resumed
        /// A test has made it, and the loop has not touched it yet.
        case made
    }

    private struct State {
        /// By origin: work in flight that was not given up, and how often it was given up.
        var counts = [0, 0]
        var rounds = [0, 0]
        /// The addresses of tasks that the loop has resumed and whose jobs no hook has reported,
        /// also of tasks that have ended.
        var unreported: Set<UInt> = []
        /// Whether tracked work has returned whose task is not tracked any more.
        var hasLostTask = false
        var waiting: [@Sendable () -> Void] = []

        mutating func begin(_ work: TrackedWork) {
            guard work.round == nil else { return }
            work.round = rounds[work.origin.rawValue]
            counts[work.origin.rawValue] += 1
        }

        mutating func end(_ work: TrackedWork) {
            let origin = work.origin.rawValue
            if work.round == rounds[origin] { counts[origin] -= 1 }
            work.round = nil
        }

        var isZero: Bool { unreported.isEmpty && counts == [0, 0] }
    }

    /// More unreported tasks than this are not remembered.
    private static let mostUnreported = 4096

    private let state = Lock(State())

    /// Whether nothing is in flight, and each task that the loop has resumed was reported.
    var isZero: Bool { state.withLock { $0.isZero } }

    var count: Int { state.withLock { $0.counts[0] + $0.counts[1] } }

    func count(_ origin: Origin) -> Int { state.withLock { $0.counts[origin.rawValue] } }

    /// Calls `body` as soon as nothing is in flight. Returns false if nothing is.
    func whenZero(_ body: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isZero { state.waiting.append(body) }
            return !state.isZero
        }
    }

    /// Stops counting the work of this origin that is in flight.
    func giveUp(_ origin: Origin) {
        change { state in
            state.counts[origin.rawValue] = 0
            state.rounds[origin.rawValue] += 1
        }
    }

    /// Stops waiting for tasks that no hook has reported.
    func forgetUnreported() { change { $0.unreported = [] } }

    /// A task that was resumed is tracked, or sleeps on the loop.
    func found(_ task: UInt) { change { _ = $0.unreported.remove(task) } }

    /// The loop is about to resume a task.
    func expect(_ task: UInt) {
        state.withLock { state in
            if state.unreported.count >= Self.mostUnreported { state.unreported = [] }
            state.unreported.insert(task)
        }
    }

    /// Whether, since the last call, work that the loop has caused has returned and left its task
    /// untracked: the task has ended, waits for something other than a loop, or went to an executor
    /// that does not report its jobs.
    func takeLostTask() -> Bool {
        state.withLock { state in
            defer { state.hasLostTask = false }
            return state.hasLostTask
        }
    }

    func begin(_ work: TrackedWork) { state.withLock { $0.begin(work) } }

    func end(_ work: TrackedWork, losesTask: Bool) {
        change { state in
            state.end(work)
            state.hasLostTask = state.hasLostTask || losesTask && work.origin == .resumed
        }
    }

    /// Changes the state, and calls those who wait if nothing is in flight then.
    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            guard state.isZero else { return [@Sendable () -> Void]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0() }
    }
}

extension Loop {
    /// The work that a manual loop has in flight; `nil`: it is not tracked.
    var inFlight: InFlight? { manual?.inFlight as? InFlight }
}
