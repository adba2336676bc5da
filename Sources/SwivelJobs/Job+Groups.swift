// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

extension Job {
    /// Makes a job that executes `tasks` one after the other, each on the thread on which the one
    /// before it ended.
    ///
    /// After an error the rest is never executed. Progress counts each part by its ``weight``.
    /// Without tasks the job succeeds as soon as it is executed.
    ///
    /// - Returns: The job, which ends with all values, in order, or with the first error.
    /// - Complexity: O(n), and O(log n) for each report of a part.
    public static func sequential<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks, isSequential: true)
    }

    /// Makes a job that executes all `tasks`, in order, on the thread that executes this job. None
    /// of them waits for another.
    ///
    /// An error cancels the parts that are executing; if a part fails before its body returns,
    /// those after it are never executed. Progress counts each part by its ``weight``. Without
    /// tasks the job succeeds as soon as it is executed.
    ///
    /// - Returns: The job, which ends with all values, in order, or with the error of the first
    ///   that fails.
    /// - Complexity: O(n), and O(log n) for each report of a part.
    public static func concurrent<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks, isSequential: false)
    }

    private static func grouped<V>(
        _ jobs: [Job<V, Failure>], isSequential: Bool
    ) -> Job where Value == [V] {
        for part in jobs { part.adopt() }
        return Job(isMonotone: true) { whole, worklist in
            if jobs.isEmpty {
                return whole.end(JobEnd(Result<[V], Failure>.success([])), in: worklist)
            }
            let group = JobGroup(jobs, of: whole, isSequential: isSequential) { ends in
                let results = ends.compactMap { Job<V, Failure>.result(of: $0) }
                return JobEnd(
                    Result<[V], Failure> { () throws(Failure) in
                        try results.map { result throws(Failure) in try result.get() }
                    })
            }
            group.run(in: worklist)
        }
    }
}

/// The parts of a `sequential` or `concurrent` job while it runs.
private final class JobGroup: Sendable {
    private struct State {
        var next = 0
        var ends: [JobEnd?]
        var missing: Int
        var fractions: WeightedProgress
    }

    private let parts: [any AnyJob]
    private let whole: any AnyJob
    private let isSequential: Bool
    /// The end of the whole, from the results of all parts, or of one that has failed.
    private let end: @Sendable ([JobEnd]) -> JobEnd
    private let state: Lock<State>

    init(
        _ parts: [any AnyJob], of whole: any AnyJob, isSequential: Bool,
        end: @escaping @Sendable ([JobEnd]) -> JobEnd
    ) {
        self.parts = parts
        self.whole = whole
        self.isSequential = isSequential
        self.end = end
        state = Lock(
            State(
                ends: Array(repeating: nil, count: parts.count), missing: parts.count,
                fractions: WeightedProgress(parts.map { $0.withLock(\.weight) })))
    }

    /// Executes the next part. A sequence continues when it has ended, the others at once: a part's
    /// immediate actions come before the next part.
    func run(in worklist: JobWorklist) {
        let index = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        if !isSequential && index + 1 < parts.count {
            worklist.push { self.run(in: worklist) }
        }
        whole.launch(parts[index], in: worklist) { [self] event, worklist in
            switch event {
            case .progress(let progress):
                let fraction = state.withLock { state in
                    // A report that comes after the part's end, from another thread, is ignored.
                    if state.ends[index] == nil {
                        state.fractions.report(progress.fraction, at: index)
                    }
                    return state.fractions.fraction
                }
                whole.report(JobProgress(fraction, userInfo: progress.userInfo), in: worklist)
            case .end(.success(let result)): finish(index, .success(result), in: worklist)
            case .end(.stopped(let stop)): whole.stop(stop, in: worklist)
            case .end(let failure): whole.end(end([failure]), in: worklist)
            }
        }
    }

    private func finish(_ index: Int, _ result: JobEnd, in worklist: JobWorklist) {
        let (fraction, ends) = state.withLock { state in
            state.ends[index] = result
            state.missing -= 1
            state.fractions.finish(index)
            return (state.fractions.fraction, state.missing == 0 ? state.ends : nil)
        }
        if let ends {
            // Pushed first, done last.
            worklist.push { self.whole.end(self.end(ends.compactMap { $0 }), in: worklist) }
        } else if isSequential {
            run(in: worklist)
        }
        whole.report(JobProgress(fraction), in: worklist)
    }
}
