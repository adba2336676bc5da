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
    public static func sequential<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks) { group, job, worklist in group.runNext(of: job, in: worklist) }
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
    public static func concurrent<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks) { group, job, worklist in group.runAll(of: job, in: worklist) }
    }

    private static func grouped<V>(
        _ jobs: [Job<V, Failure>],
        _ run: @escaping @Sendable (JobGroup<V, Failure>, Job, JobWorklist) -> Void
    ) -> Job where Value == [V] {
        jobs.forEach { $0.adopt() }
        return Job(
            body: .composite { job, worklist in
                if jobs.isEmpty {
                    job.end(.result(.success([])), in: worklist)
                } else {
                    run(JobGroup(jobs), job, worklist)
                }
            }, isMonotone: true)
    }

    /// Notes that the job is part of another one.
    func adopt() {
        storage.withLock { $0.isAdopted = true }
    }
}

/// The parts of a `sequential` or `concurrent` job while it runs.
private final class JobGroup<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        /// Those that were not executed. An executing one is held by the functions that end it.
        var jobs: [Job<Value, Failure>?]
        var next = 0
        var values: [Value?]
        var missing: Int
        var tally: JobTally
    }

    private let state: Lock<State>

    init(_ jobs: [Job<Value, Failure>]) {
        state = Lock(
            State(
                jobs: jobs, values: Array(repeating: nil, count: jobs.count), missing: jobs.count,
                tally: JobTally(jobs.map(\.weight))))
    }

    /// Executes the next part, and after its end the rest.
    func runNext(of whole: Job<[Value], Failure>, in worklist: JobWorklist) {
        launchNext(of: whole, in: worklist) { self.runNext(of: whole, in: $0) }
    }

    /// Executes all parts. A part's immediate actions come before the next part.
    func runAll(of whole: Job<[Value], Failure>, in worklist: JobWorklist) {
        if state.withLock({ $0.next + 1 < $0.jobs.count }) {
            worklist.push { self.runAll(of: whole, in: worklist) }
        }
        launchNext(of: whole, in: worklist) { _ in }
    }

    private func launchNext(
        of whole: Job<[Value], Failure>, in worklist: JobWorklist,
        then proceed: @escaping @Sendable (JobWorklist) -> Void
    ) {
        let (index, job) = state.withLock { state in
            let index = state.next
            state.next += 1
            defer { state.jobs[index] = nil }
            return (index, state.jobs[index])
        }
        guard let job else { return }
        whole.launch(job, at: index, in: worklist) { event, worklist in
            switch event {
            case .progress(let progress):
                let fraction = self.state.withLock { state in
                    // A report that comes after the part's end, from another thread, is ignored.
                    if state.values[index] == nil {
                        state.tally.report(progress.fraction, at: index)
                    }
                    return state.tally.fraction
                }
                whole.report(JobProgress(fraction, userInfo: progress.userInfo), in: worklist)
            case .result(.success(let value)):
                self.finish(index, value, of: whole, in: worklist, proceed)
            case .result(.failure(let error)): whole.end(.result(.failure(error)), in: worklist)
            case .stopped(let stop): whole.stop(stop, in: worklist)
            }
        }
    }

    private func finish(
        _ index: Int, _ value: Value, of whole: Job<[Value], Failure>, in worklist: JobWorklist,
        _ proceed: (JobWorklist) -> Void
    ) {
        let (fraction, values) = state.withLock { state in
            state.values[index] = value
            state.missing -= 1
            state.tally.finish(index)
            return (state.tally.fraction, state.missing == 0 ? state.values : nil)
        }
        if let values {
            // Pushed first, done last.
            worklist.push {
                whole.end(.result(.success(values.compactMap { $0 })), in: worklist)
            }
        } else {
            proceed(worklist)
        }
        whole.report(JobProgress(fraction), in: worklist)
    }
}
