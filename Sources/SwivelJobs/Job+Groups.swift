// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

extension Job {
    /// Returns a job that executes `tasks` one after the other, and ends with all values, in order,
    /// or with the first error, after which the rest is never executed. Progress counts each part
    /// by its ``weight``. Without tasks the job succeeds at once.
    /// - Complexity: O(n), and O(log n) for each report of a part.
    public static func sequential<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks, isSequential: true)
    }

    /// Returns a job that executes all `tasks`, in order, on the thread that executes it, and ends
    /// with all values, in order, or with the error of the first to fail. None waits for another.
    /// An error cancels the parts that are executing; if a part fails before its body returns,
    /// those after it are never executed. Progress counts each part by its ``weight``. Without
    /// tasks the job succeeds at once.
    /// - Complexity: O(n), and O(log n) for each report of a part.
    public static func concurrent<V>(_ tasks: [Job<V, Failure>]) -> Job where Value == [V] {
        grouped(tasks, isSequential: false)
    }

    private static func grouped<V>(
        _ parts: [Job<V, Failure>], isSequential: Bool
    ) -> Job where Value == [V] {
        for part in parts { part.adopt() }
        return Job(isMonotone: true) { whole, worklist in
            if parts.isEmpty { return whole.end(.success([V]()), in: worklist) }
            let state = JobGroup<V, Failure>.State(
                values: Array(repeating: nil, count: parts.count), missing: parts.count,
                fractions: WeightedProgress(parts.map(\.weight)))
            JobGroup(parts: parts, whole: whole, isSequential: isSequential, state: Lock(state))
                .run(0, in: worklist)
        }
    }
}

/// The parts of a `sequential` or `concurrent` job while it runs.
private struct JobGroup<Value: Sendable, Failure: Error>: Sendable {
    struct State {
        var values: [Value?]
        var missing: Int
        var fractions: WeightedProgress
    }

    let parts: [Job<Value, Failure>]
    let whole: any AnyJob
    let isSequential: Bool
    let state: Lock<State>

    /// Executes the parts from `index` on. A sequence continues when the part has ended, the others
    /// at once: a part's immediate actions come before the next part.
    func run(_ index: Int, in worklist: JobWorklist) {
        if !isSequential && index + 1 < parts.count {
            worklist.push { run(index + 1, in: worklist) }
        }
        whole.launch(parts[index], in: worklist) { progress in
            let fraction = state.withLock { state in
                // A report that comes after the part's end, from another thread, is ignored.
                if state.values[index] == nil {
                    state.fractions.report(progress.fraction, at: index)
                }
                return state.fractions.fraction
            }
            return JobProgress(fraction, userInfo: progress.userInfo)
        } ended: { end, worklist in
            switch Job<Value, Failure>.result(of: end) {
            case .success(let value): finish(index, value, in: worklist)
            case .failure, nil: whole.end(end, in: worklist)
            }
        }
    }

    private func finish(_ index: Int, _ value: Value, in worklist: JobWorklist) {
        let (fraction, values) = state.withLock { state in
            state.values[index] = value
            state.missing -= 1
            state.fractions.report(1, at: index)
            return (state.fractions.fraction, state.missing == 0 ? state.values : nil)
        }
        if let values {
            // Pushed first, done last.
            let all = values.compactMap { $0 }
            worklist.push { whole.end(.success(all), in: worklist) }
        } else if isSequential {
            run(index + 1, in: worklist)
        }
        whole.report(JobProgress(fraction), in: worklist)
    }
}
