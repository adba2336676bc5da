// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

extension Job {
    /// Makes a job that executes `tasks` one after the other.
    ///
    /// After an error the rest is never executed. Progress counts each part by its ``weight``.
    /// Without tasks the job succeeds as soon as it is executed.
    ///
    /// **Thread:** any. Each part runs on the thread on which the one before it ended.
    /// - Returns: The job, which ends with all values, in order, or with the first error.
    /// - Complexity: O(n), and O(log n) for each report of a part.
    @inlinable
    public static func sequential<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks, isSequential: true)
    }

    /// Makes a job that executes all `tasks`, none of which waits for another.
    ///
    /// An error cancels the parts that are executing; if a part fails before its body returns,
    /// those after it are never executed. Progress counts each part by its ``weight``. Without
    /// tasks the job succeeds as soon as it is executed.
    ///
    /// **Thread:** any. All parts are executed, in order, on the thread that executes this job.
    /// - Returns: The job, which ends with all values, in order, or with the error of the first
    ///   that fails.
    /// - Complexity: O(n), and O(log n) for each report of a part.
    @inlinable
    public static func concurrent<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks, isSequential: false)
    }

    @inlinable
    static func grouped<V>(
        _ jobs: [Job<V, Failure>], isSequential: Bool
    ) -> Job where Value == [V] {
        let parts = jobs.map { AnyJob($0) }
        for part in parts { part.adopt() }
        return Job(isMonotone: true) { whole, worklist in
            if parts.isEmpty { return whole.end(Result<[V], Failure>.success([]), in: worklist) }
            JobGroup(parts, of: whole, isSequential: isSequential) { ended, worklist in
                let result = Result<[V], Failure> {
                    () throws(Failure) in
                    try ended.map { job throws(Failure) in
                        try job.result(Result<V, Failure>.self).get()
                    }
                }
                whole.end(result, in: worklist)
            }.run(in: worklist)
        }
    }
}

/// The parts of a `sequential` or `concurrent` job while it runs.
@usableFromInline
final class JobGroup: Sendable {
    private struct State {
        var next = 0
        var isDone: [Bool]
        var missing: Int
        var tally: JobTally
    }

    private let parts: [AnyJob]
    private let whole: AnyJob
    private let isSequential: Bool
    /// Ends the whole with the results of these jobs: of all of them, or of one that has failed.
    private let end: @Sendable ([AnyJob], JobWorklist) -> Void
    private let state: Lock<State>

    @usableFromInline
    init(
        _ parts: [AnyJob], of whole: AnyJob, isSequential: Bool,
        end: @escaping @Sendable ([AnyJob], JobWorklist) -> Void
    ) {
        self.parts = parts
        self.whole = whole
        self.isSequential = isSequential
        self.end = end
        state = Lock(
            State(
                isDone: Array(repeating: false, count: parts.count), missing: parts.count,
                tally: JobTally(parts.map(\.weight))))
    }

    /// Executes the next part. A sequence goes on when it has ended, the others at once: a part's
    /// immediate actions come before the next part.
    @usableFromInline
    func run(in worklist: JobWorklist) {
        let index = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        if !isSequential && index + 1 < parts.count {
            worklist.push { self.run(in: worklist) }
        }
        whole.launch(parts[index], in: worklist) { [self] event, part, worklist in
            switch event {
            case .progress(let progress):
                let fraction = state.withLock { state in
                    // A report that comes after the part's end, from another thread, is ignored.
                    if !state.isDone[index] { state.tally.report(progress.fraction, at: index) }
                    return state.tally.fraction
                }
                whole.report(JobProgress(fraction, userInfo: progress.userInfo), in: worklist)
            case .end(.success): finish(index, in: worklist)
            case .end(.failure): end([part], worklist)
            case .end(.stopped(let stop)): whole.stop(stop, in: worklist)
            }
        }
    }

    private func finish(_ index: Int, in worklist: JobWorklist) {
        let (fraction, missing) = state.withLock { state in
            state.isDone[index] = true
            state.missing -= 1
            state.tally.finish(index)
            return (state.tally.fraction, state.missing)
        }
        if missing == 0 {
            // Pushed first, done last.
            worklist.push { self.end(self.parts, worklist) }
        } else if isSequential {
            run(in: worklist)
        }
        whole.report(JobProgress(fraction), in: worklist)
    }
}
