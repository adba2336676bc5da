// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

extension Job {
    /// The jobs one after the other: all values in order, or the first error.
    ///
    /// After an error the rest is never executed. Progress counts each part by its ``weight``. No
    /// jobs at all succeed at once.
    ///
    /// **Thread:** each job runs on the thread on which the one before it ended.
    /// - Complexity: O(n), and O(log n) for a report of a part.
    public static func sequential<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks) { group, job, frame in group.runNext(of: job, in: frame) }
    }

    /// The jobs all at once: all values in order, or the error of the job that fails first.
    ///
    /// At an error the jobs that are executing are cancelled. Progress counts each part by its
    /// ``weight``. No jobs at all succeed at once.
    ///
    /// **Thread:** all are executed on the thread that executes this job, in order; one that fails
    /// before it returns keeps the later ones from being executed.
    /// - Complexity: O(n), and O(log n) for a report of a part.
    public static func concurrent<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks) { group, job, frame in group.runAll(of: job, in: frame) }
    }

    private static func grouped<V>(
        _ jobs: [Job<V, Failure>],
        _ run: @escaping @Sendable (JobGroup<V, Failure>, Job, JobFrame) -> Void
    ) -> Job where Value == [V] {
        jobs.forEach { $0.adopt() }
        return Job(
            body: .composite { job, frame in
                if jobs.isEmpty {
                    job.end(.success([]), in: frame)
                } else {
                    run(JobGroup(jobs), job, frame)
                }
            }, isMonotone: true)
    }

    /// The job becomes part of another one.
    func adopt() {
        storage.withLock { $0.isAdopted = true }
    }
}

/// The parts of a `sequential` or `concurrent` job while it runs.
private final class JobGroup<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        /// Those that were not executed. The others are held by what is to end them.
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

    /// Executes the next part, and after it the rest.
    func runNext(of whole: Job<[Value], Failure>, in frame: JobFrame) {
        launchNext(of: whole, in: frame) { self.runNext(of: whole, in: $0) }
    }

    /// Executes all parts. What a part leads to at once comes before the next part.
    func runAll(of whole: Job<[Value], Failure>, in frame: JobFrame) {
        if state.withLock({ $0.next + 1 < $0.jobs.count }) {
            frame.push { self.runAll(of: whole, in: frame) }
        }
        launchNext(of: whole, in: frame) { _ in }
    }

    private func launchNext(
        of whole: Job<[Value], Failure>, in frame: JobFrame,
        then goOn: @escaping @Sendable (JobFrame) -> Void
    ) {
        let (index, job) = state.withLock { state in
            let index = state.next
            state.next += 1
            defer { state.jobs[index] = nil }
            return (index, state.jobs[index])
        }
        guard let job else { return }
        whole.launch(job, at: index, in: frame) { event, frame in
            switch event {
            case .progress(let progress):
                let fraction = self.state.withLock { state in
                    // A report that another thread brings late says nothing.
                    if state.values[index] == nil {
                        state.tally.report(progress.fraction, at: index)
                    }
                    return state.tally.fraction
                }
                whole.report(JobProgress(fraction, userInfo: progress.userInfo), in: frame)
            case .success(let value): self.finish(index, value, of: whole, in: frame, goOn)
            case .failure(let error): whole.end(.failure(error), in: frame)
            case .stopped(let stop): whole.stop(stop, in: frame)
            }
        }
    }

    private func finish(
        _ index: Int, _ value: Value, of whole: Job<[Value], Failure>, in frame: JobFrame,
        _ goOn: (JobFrame) -> Void
    ) {
        let (fraction, values) = state.withLock { state in
            state.values[index] = value
            state.missing -= 1
            state.tally.finish(index)
            return (state.tally.fraction, state.missing == 0 ? state.values : nil)
        }
        if let values {
            // Pushed first, done last.
            frame.push { whole.end(.success(values.compactMap { $0 }), in: frame) }
        } else {
            goOn(frame)
        }
        whole.report(JobProgress(fraction), in: frame)
    }
}
