// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Maps tasks to the counts of the manual loops that their jobs belong to. A task that makes or
/// advances a manual loop directs it: the tasks that it starts are tracked, and it is not tracked
/// itself, because it waits. Tasks are known by their numbers, which grow.
final class Directors: Sendable {
    static let shared = Directors()

    /// How many tasks may be known before those that were not seen for longest are forgotten.
    private static let generation = 16_384

    private struct Sender {
        weak var inFlight: InFlight?
        let origin: InFlight.Origin
    }

    private struct State {
        var directors: [UInt64: Sender] = [:]
        /// Tasks that were tracked, so that they are found again after jobs that were not reported.
        var young: [UInt64: Sender] = [:]
        var old: [UInt64: Sender] = [:]

        mutating func remember(_ task: UInt64, _ inFlight: InFlight, _ origin: InFlight.Origin) {
            if young.count >= Directors.generation { (old, young) = (young, [:]) }
            young[task] = Sender(inFlight: inFlight, origin: origin)
        }

        /// The task directs loops with this count, unless it directs others. Returns its count.
        mutating func direct(_ task: UInt64, _ new: () -> InFlight) -> InFlight {
            if let known = directors[task]?.inFlight { return known }
            let inFlight = new()
            directors = directors.filter { $0.value.inFlight != nil }
            directors[task] = Sender(inFlight: inFlight, origin: .made)
            return inFlight
        }
    }

    private let state = Lock.ofProcess { _ in State() }

    /// The count of a loop that is being made here. Loops that one task directs share it.
    func open() -> InFlight {
        guard let task = JobHook.currentTask else { return InFlight() }
        return state.withLock { $0.direct(task) { InFlight() } }
    }

    /// The running task directs the loop with this count, unless it directs another.
    func direct(_ inFlight: InFlight) {
        guard let task = JobHook.currentTask else { return }
        _ = state.withLock { $0.direct(task) { inFlight } }
    }

    /// The count for a job of `task`, or of no task, that is being queued here; `nil`: none.
    func sender(of task: UInt64?) -> (InFlight, InFlight.Origin)? {
        let sender = TrackedWork.sender
        let creator = sender == nil ? JobHook.currentTask : nil
        return state.withLock { state in
            guard let task else {
                // A director that leaves an actor queues what it has given that actor to do.
                let left = creator.flatMap { state.directors[$0]?.inFlight }
                return sender ?? left.map { ($0, .made) }
            }
            if state.directors[task]?.inFlight != nil { return nil }
            if let (inFlight, origin) = sender {
                state.remember(task, inFlight, origin)
                return (inFlight, origin)
            }
            // A director makes tasks younger than itself. An older one is not its work but waits
            // for the director, as a test runner does.
            if let creator, creator < task, let inFlight = state.directors[creator]?.inFlight {
                state.remember(task, inFlight, .made)
                return (inFlight, .made)
            }
            guard let known = state.young[task] ?? state.old[task], let inFlight = known.inFlight
            else { return nil }
            return (inFlight, known.origin)
        }
    }
}
