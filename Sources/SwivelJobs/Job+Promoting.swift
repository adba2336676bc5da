// SPDX-License-Identifier: Apache-2.0

// Continuing a job that cannot fail with one that can. The other forms of `then` are preferred where
// both fit.
extension Job where Failure == Never {
    /// Gives a job that cannot fail an error type, so that it fits where others can fail.
    ///
    /// **Thread:** any.
    /// - Parameter type: The error type.
    /// - Returns: A job that executes this one, and takes its value and its progress.
    /// - Complexity: O(1).
    @inlinable
    public func promoteError<E: Error>(to type: E.Type = E.self) -> Job<Value, E> {
        following(isMonotone: false, weight: weight) { result in
            switch result {
            case .success(let value): .end(.success(value))
            }
        }
    }

    /// Continues this job, which cannot fail, with another job, which may:
    /// `loop.delay(.seconds(1)).then(job)`.
    ///
    /// **Thread:** any. The next job runs on the thread on which this one ends.
    /// - Parameter next: The job that follows this one.
    /// - Returns: A job that executes both, one after the other, and ends as `next` does.
    /// - Complexity: O(1).
    @inlinable
    @_disfavoredOverload
    public func then<V: Sendable, E: Error>(_ next: Job<V, E>) -> Job<V, E> {
        next.adopt()
        return following(firstShare: { [self] in share(beside: next.weight) }) { _ in .job(next) }
    }

    /// Continues this job, which cannot fail, with a job that depends on the value, and may fail.
    ///
    /// **Thread:** any. `next` runs on the thread on which this job ends.
    /// - Returns: A job that executes this one and then the one that `next` returns, as which it
    ///   ends.
    /// - Complexity: O(1).
    @inlinable
    @preconcurrency
    @_disfavoredOverload
    public func then<V: Sendable, E: Error>(
        _ next: @escaping @Sendable (Value) -> Job<V, E>
    ) -> Job<V, E> {
        following(firstShare: { [self] in share() }) { result in
            switch result {
            case .success(let value): .job(next(value))
            }
        }
    }
}
