// SPDX-License-Identifier: Apache-2.0

// Jobs that derive from another one: they execute it, and continue on the thread on which it ends.
extension Job {
    /// Returns a job that executes this one and then `next`, whose value it takes. Progress counts
    /// both by their ``weight``.
    /// - Complexity: O(1).
    public func then<V: Sendable>(_ next: Job<V, Failure>) -> Job<V, Failure> {
        next.adopt()
        return following(nextWeight: { next.weight }) {
            if case .success = $0 { .job(next) } else { nil }
        }
    }

    /// Returns a job that executes this one and then the job that `next` makes from the value.
    /// Progress counts this job by its ``weight``, and the next one, which is unknown, as 1.
    /// - Complexity: O(1).
    @preconcurrency
    public func then<V: Sendable>(
        _ next: @escaping @Sendable (Value) -> Job<V, Failure>
    ) -> Job<V, Failure> {
        following(nextWeight: { 1 }) {
            if case .success(let value) = $0 { .job(next(value)) } else { nil }
        }
    }

    /// Returns a job that executes this one, and if that fails `next`.
    /// - Complexity: O(1).
    public func recover<E: Error>(_ next: Job<Value, E>) -> Job<Value, E> {
        next.adopt()
        return recover { _ in next }
    }

    /// Returns a job that executes this one, and after an error the job that `next` returns.
    /// - Complexity: O(1).
    @preconcurrency
    public func recover<E: Error>(
        _ next: @escaping @Sendable (Failure) -> Job<Value, E>
    ) -> Job<Value, E> {
        following { if case .failure(let error) = $0 { .job(next(error)) } else { nil } }
    }

    /// Returns a job that executes this one, and then the job that `next` makes from its result.
    /// - Complexity: O(1).
    @preconcurrency
    public func chain<V: Sendable, E: Error>(
        _ next: @escaping @Sendable (Result<Value, Failure>) -> Job<V, E>
    ) -> Job<V, E> {
        following(nextWeight: { 1 }) { .job(next($0)) }
    }

    /// Returns a job that executes this one, and transforms its value by `transform`.
    /// - Complexity: O(1).
    @preconcurrency
    public func map<V: Sendable>(_ transform: @escaping @Sendable (Value) -> V) -> Job<V, Failure> {
        mapOutcome { $0.map(transform) }
    }

    /// Returns a job that executes this one, and transforms its error by `transform`.
    /// - Complexity: O(1).
    @preconcurrency
    public func mapError<E: Error>(
        _ transform: @escaping @Sendable (Failure) -> E
    ) -> Job<Value, E> {
        mapOutcome { $0.mapError(transform) }
    }

    /// Returns a job that executes this one, and transforms its result by `transform`.
    /// - Complexity: O(1).
    @preconcurrency
    public func mapOutcome<V: Sendable, E: Error>(
        _ transform: @escaping @Sendable (Result<Value, Failure>) -> Result<V, E>
    ) -> Job<V, E> {
        following(isMonotone: false, weight: weight) {
            switch transform($0) {
            case .success(let value): .end(.success(value))
            case .failure(let error): .end(.failure(error))
            }
        }
    }

    /// Returns a job that passes on what `transform` makes of each report, on the reporting thread.
    /// - Complexity: O(1) for each report.
    @preconcurrency
    public func mapProgress(_ transform: @escaping @Sendable (JobProgress) -> JobProgress) -> Job {
        following(isMonotone: false, weight: weight, progressed: transform) { _ in nil }
    }

    /// Returns a job that scales this one's progress into `range`: into 0.6…1, a half is 0.8.
    /// - Complexity: O(1) for each report.
    public func mapProgress(into range: ClosedRange<Double>) -> Job {
        mapProgress { $0.scaled(from: range.lowerBound, by: range.upperBound - range.lowerBound) }
    }
}

// Continuing a job that cannot fail with one that can, as in `loop.delay(.seconds(1)).then(job)`.
// If both fit, the compiler takes the other forms of `then`.
extension Job where Failure == Never {
    /// Returns a job that executes this one, and fits where jobs can fail with an error of `type`.
    /// - Complexity: O(1).
    public func promoteError<E: Error>(to type: E.Type = E.self) -> Job<Value, E> {
        mapOutcome { .success($0.get()) }
    }

    /// Returns a job that executes this one and then `next`, which may fail, and takes its value.
    /// - Complexity: O(1).
    @_disfavoredOverload
    public func then<V: Sendable, E: Error>(_ next: Job<V, E>) -> Job<V, E> {
        next.adopt()
        return following(nextWeight: { next.weight }) { _ in .job(next) }
    }

    /// Returns a job that executes this one and then the job that `next` returns, which may fail.
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
private enum JobContinuation<Value: Sendable, Failure: Error> {
    case end(JobEvent), job(Job<Value, Failure>)
}

extension Job {
    /// Returns the job that executes this one, passes on its reports as `progressed` returns them,
    /// and continues as `next` returns, or ends likewise. Its execution reads `nextWeight`, that of
    /// the job that follows; `nil`: a job that replaces this one continues its progress.
    private func following<V, E>(
        isMonotone: Bool = true, weight: Double = 1, nextWeight: (@Sendable () -> Double)? = nil,
        progressed: @escaping @Sendable (JobProgress) -> JobProgress = { $0 },
        _ next: @escaping @Sendable (Result<Value, Failure>) -> JobContinuation<V, E>?
    ) -> Job<V, E> {
        adopt()
        return Job<V, E>(isMonotone: isMonotone, weight: weight) { [self] whole, worklist in
            let share = nextWeight.map {
                var both = WeightedProgress([self.weight, $0()])
                both.report(1, at: 0)
                return both.fraction
            }
            whole.launch(self, in: worklist) {
                progressed($0).scaled(from: 0, by: share ?? 1)
            } ended: { end, worklist in
                switch Self.result(of: end).flatMap(next) {
                case .end(let end): whole.end(end, in: worklist)
                case .job(let next): whole.proceed(to: next, from: share, in: worklist)
                case nil: whole.end(end, in: worklist)
                }
            }
        }
    }
}

extension AnyJob {
    /// Executes the second half, whose end is this job's.
    fileprivate func proceed(to next: any AnyJob, from share: Double?, in worklist: JobWorklist) {
        next.adopt()
        // A job that recovers continues at the fraction of the failed job.
        let start = share ?? withLock { $0.state.fraction ?? 0 }
        launch(next, in: worklist) {
            $0.scaled(from: start, by: 1 - start)
        } ended: {
            self.end($0, in: $1)
        }
        // The worklist runs what is pushed last first: this comes before the next job's start.
        if let share { report(JobProgress(share), in: worklist) }
    }
}
