// SPDX-License-Identifier: Apache-2.0

// Jobs that derive from another one: they execute it, and continue when it has ended, on the thread
// on which it ends. If it is cancelled or abandoned, so are they.
extension Job {
    /// Continues this job's success with another job. Progress counts both by their ``weight``.
    ///
    /// - Parameter next: The job that follows this one.
    /// - Returns: A job that executes both, one after the other, and takes the value of `next`.
    /// - Complexity: O(1).
    public func then<V: Sendable>(_ next: Job<V, Failure>) -> Job<V, Failure> {
        next.adopt()
        return following(firstShare: { [self] in share(beside: next.weight) }) {
            JobContinuation(after: $0) { _ in next }
        }
    }

    /// Continues this job's success with the job that `next` makes from the value. Progress counts
    /// this job by its ``weight``, and the next one, which is unknown, as 1.
    ///
    /// - Returns: A job that executes this one and then the one that `next` returns, whose value it
    ///   takes.
    /// - Complexity: O(1).
    @preconcurrency
    public func then<V: Sendable>(
        _ next: @escaping @Sendable (Value) -> Job<V, Failure>
    ) -> Job<V, Failure> {
        following(firstShare: { [self] in share() }) { JobContinuation(after: $0, next) }
    }

    /// Replaces this job's error by the result of another job.
    ///
    /// - Parameter next: Executed if this job fails.
    /// - Returns: A job that executes this one, and if that fails `next`.
    /// - Complexity: O(1).
    public func recover<E: Error>(_ next: Job<Value, E>) -> Job<Value, E> {
        next.adopt()
        return recover { _ in next }
    }

    /// Replaces this job's error by the result of the job that `next` makes from it.
    ///
    /// - Returns: A job that executes this one, and if that fails the one that `next` returns.
    /// - Complexity: O(1).
    @preconcurrency
    public func recover<E: Error>(
        _ next: @escaping @Sendable (Failure) -> Job<Value, E>
    ) -> Job<Value, E> {
        following { result in
            switch result {
            case .success(let value): .end(.success(value))
            case .failure(let error): .job(next(error))
            }
        }
    }

    /// Continues this job's value or error with another job.
    ///
    /// - Returns: A job that executes this one and then the one that `next` returns.
    /// - Complexity: O(1).
    @preconcurrency
    public func chain<V: Sendable, E: Error>(
        _ next: @escaping @Sendable (Result<Value, Failure>) -> Job<V, E>
    ) -> Job<V, E> {
        following(firstShare: { [self] in share() }) { .job(next($0)) }
    }

    /// Transforms the value. An error is passed on.
    ///
    /// - Returns: A job that executes this one and ends with the value that `transform` returns.
    /// - Complexity: O(1).
    @preconcurrency
    public func map<V: Sendable>(
        _ transform: @escaping @Sendable (Value) -> V
    ) -> Job<V, Failure> {
        mapOutcome { $0.map(transform) }
    }

    /// Transforms the error. A value is passed on.
    ///
    /// - Returns: A job that executes this one and ends with the error that `transform` returns.
    /// - Complexity: O(1).
    @preconcurrency
    public func mapError<E: Error>(
        _ transform: @escaping @Sendable (Failure) -> E
    ) -> Job<Value, E> {
        mapOutcome { $0.mapError(transform) }
    }

    /// Transforms the result, value or error.
    ///
    /// - Returns: A job that executes this one and ends with the result that `transform` returns.
    /// - Complexity: O(1).
    @preconcurrency
    public func mapOutcome<V: Sendable, E: Error>(
        _ transform: @escaping @Sendable (Result<Value, Failure>) -> Result<V, E>
    ) -> Job<V, E> {
        following(isMonotone: false, weight: weight) { .end(transform($0)) }
    }

    /// Passes on what `transform` returns for each report of progress, on the thread that reports.
    ///
    /// - Returns: A job that executes this one and passes on its result.
    /// - Complexity: O(1) for each report.
    @preconcurrency
    public func mapProgress(_ transform: @escaping @Sendable (JobProgress) -> JobProgress) -> Job {
        following(isMonotone: false, weight: weight, progressed: transform) { .end($0) }
    }

    /// Scales the progress into `range`: into 0.6…1, a half is 0.8.
    ///
    /// - Returns: A job that executes this one and passes on its result.
    /// - Complexity: O(1) for each report.
    public func mapProgress(into range: ClosedRange<Double>) -> Job {
        mapProgress {
            $0.scaled(from: range.lowerBound, by: range.upperBound - range.lowerBound)
        }
    }
}

// Continuing a job that cannot fail with one that can. The other forms of `then` are preferred where
// both fit.
extension Job where Failure == Never {
    /// Gives a job that cannot fail an error type, so that it fits where others can fail.
    ///
    /// - Parameter type: The error type.
    /// - Returns: A job that executes this one, and takes its value and its progress.
    /// - Complexity: O(1).
    public func promoteError<E: Error>(to type: E.Type = E.self) -> Job<Value, E> {
        mapOutcome { .success($0.get()) }
    }

    /// Continues this job, which cannot fail, with another job, which may:
    /// `loop.delay(.seconds(1)).then(job)`.
    ///
    /// - Parameter next: The job that follows this one.
    /// - Returns: A job that executes both, one after the other, and ends as `next` does.
    /// - Complexity: O(1).
    @_disfavoredOverload
    public func then<V: Sendable, E: Error>(_ next: Job<V, E>) -> Job<V, E> {
        next.adopt()
        return following(firstShare: { [self] in share(beside: next.weight) }) { _ in .job(next) }
    }

    /// Continues this job, which cannot fail, with a job that depends on the value, and may fail.
    ///
    /// - Returns: A job that executes this one and then the one that `next` returns, as which it
    ///   ends.
    /// - Complexity: O(1).
    @preconcurrency
    @_disfavoredOverload
    public func then<V: Sendable, E: Error>(
        _ next: @escaping @Sendable (Value) -> Job<V, E>
    ) -> Job<V, E> {
        chain { next($0.get()) }
    }
}

/// How a job continues when the one from which it derives has ended.
private enum JobContinuation<Value: Sendable, Failure: Error>: Sendable {
    case end(Result<Value, Failure>)
    case job(Job<Value, Failure>)

    /// With the job that `next` returns after a success, or with the error.
    init<First>(after result: Result<First, Failure>, _ next: (First) -> Job<Value, Failure>) {
        switch result {
        case .success(let value): self = .job(next(value))
        case .failure(let error): self = .end(.failure(error))
        }
    }
}

extension Job {
    /// This job's share of the whole next to a job of that weight, as in ``WeightedProgress``. One
    /// that is not known yet counts as 1.
    private func share(beside next: Double = 1) -> Double {
        let weight = weight
        let sum = weight + next
        return sum > 0 && sum.isFinite ? weight / sum : 0.5
    }

    /// The job that executes this one, and continues as `next` says.
    ///
    /// - Parameters:
    ///   - firstShare: This job's part of the whole, for its progress; called at the execution.
    ///     `nil`: the whole of it, and a job that replaces it continues where it was.
    ///   - progressed: What becomes of this job's reports.
    private func following<V, E>(
        isMonotone: Bool = true, weight: Double = 1,
        firstShare: (@Sendable () -> Double)? = nil,
        progressed: @escaping @Sendable (JobProgress) -> JobProgress = { $0 },
        _ next: @escaping @Sendable (Result<Value, Failure>) -> JobContinuation<V, E>
    ) -> Job<V, E> {
        adopt()
        return Job<V, E>(isMonotone: isMonotone, weight: weight) { [self] whole, worklist in
            let share = firstShare?()
            whole.launch(self, in: worklist) { event, worklist in
                switch event {
                case .progress(let progress):
                    whole.report(
                        progressed(progress).scaled(from: 0, by: share ?? 1), in: worklist)
                case .end(.stopped(let stop)): whole.stop(stop, in: worklist)
                case .end(let end):
                    switch Self.result(of: end).map(next) {
                    case .end(let result): whole.end(JobEnd(result), in: worklist)
                    case .job(let next): whole.proceed(to: next, from: share, in: worklist)
                    case nil: break
                    }
                }
            }
        }
    }
}

extension AnyJob {
    /// Executes the second half, whose end is this job's.
    fileprivate func proceed(
        to next: any AnyJob, from share: Double?, in worklist: JobWorklist
    ) {
        next.adopt()
        // A job that recovers continues at the fraction of the one that failed.
        let start = share ?? withLock { $0.state.fraction ?? 0 }
        launch(next, in: worklist) { [self] event, worklist in
            switch event {
            case .progress(let progress):
                report(progress.scaled(from: start, by: 1 - start), in: worklist)
            case .end(.stopped(let stop)): self.stop(stop, in: worklist)
            case .end(let end): self.end(end, in: worklist)
            }
        }
        // The worklist runs what is pushed last first: this comes before the next job's start.
        if let share { report(JobProgress(share), in: worklist) }
    }
}
