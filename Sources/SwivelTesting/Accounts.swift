// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Maps tasks to the accounts on which their jobs are errands.
///
/// A task that makes or advances a manual loop directs it: the tasks that it starts are followed,
/// and it is not followed itself, because it is the one that waits. Tasks are known by their
/// numbers, which grow.
final class Accounts: Sendable {
    static let shared = Accounts()

    /// How many tasks may be known before those that were not seen for longest are forgotten.
    private static let generation = 16_384

    private struct Account {
        weak var errands: Errands?
        let kind: Errands.Kind
    }

    private struct State {
        var directors: [UInt64: Account] = [:]
        /// Tasks that were followed, so that they are found again after a stay out of sight.
        var young: [UInt64: Account] = [:]
        var old: [UInt64: Account] = [:]
        var sweepAt = 64

        mutating func remember(_ task: UInt64, _ errands: Errands, _ kind: Errands.Kind) {
            if young.count >= Accounts.generation {
                old = young
                young = [:]
            }
            young[task] = Account(errands: errands, kind: kind)
        }

        mutating func direct(_ task: UInt64, _ errands: Errands) {
            directors[task] = Account(errands: errands, kind: .made)
            if directors.count > sweepAt {
                directors = directors.filter { $0.value.errands != nil }
                sweepAt = max(64, 2 * directors.count)
            }
        }
    }

    private let state = Lock(State())

    /// The account of a loop that is being made here. Loops that one task directs share it.
    func open() -> Errands {
        guard let task = JobHook.currentTask else { return Errands() }
        return state.withLock { state in
            if let errands = state.directors[task]?.errands {
                return errands
            }
            let errands = Errands()
            state.direct(task, errands)
            return errands
        }
    }

    /// The running task directs the loop of this account, unless it directs another.
    func direct(_ errands: Errands) {
        guard let task = JobHook.currentTask else { return }
        state.withLock { state in
            if state.directors[task]?.errands == nil {
                state.direct(task, errands)
            }
        }
    }

    /// The account of a job of `task`, or of no task, that is being queued here; `nil`: none.
    func account(of task: UInt64?) -> (Errands, Errands.Kind)? {
        let sender = Errands.sender
        let creator = sender == nil ? JobHook.currentTask : nil
        return state.withLock { state in
            guard let task else {
                // A director that leaves an actor queues what it has given that actor to do.
                let left = creator.flatMap { state.directors[$0]?.errands }
                return sender ?? left.map { ($0, .made) }
            }
            if state.directors[task]?.errands != nil {
                return nil
            }
            if let (errands, kind) = sender {
                state.remember(task, errands, kind)
                return (errands, kind)
            }
            // A director makes tasks younger than itself. An older one is not its work but waits
            // for the director, as a test runner does.
            if let creator, creator < task, let errands = state.directors[creator]?.errands {
                state.remember(task, errands, .made)
                return (errands, .made)
            }
            guard let known = state.young[task] ?? state.old[task], let errands = known.errands
            else { return nil }
            return (errands, known.kind)
        }
    }
}
