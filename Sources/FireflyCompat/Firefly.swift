// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel
internal import SwivelCompatSupport

/// Firefly's functions. Its `Task` is `Swivel.Job`: a public `Task` would hide Swift's own.
@available(*, deprecated, message: "use 'Job'")
public enum Firefly {
    /// See `Job.init(_:)`.
    @available(*, deprecated, renamed: "Job.init(_:)")
    @preconcurrency
    public static func task<V: Sendable, E: Error>(
        _ body:
            @escaping @Sendable (
                _ succeed: @escaping @Sendable (V) -> Void, _ fail: @escaping @Sendable (E) -> Void
            ) -> Void
    ) -> Job<V, E> {
        Job(body)
    }

    /// See `Job.init(_:)`.
    @available(*, deprecated, renamed: "Job.init(_:)")
    @preconcurrency
    public static func task<V: Sendable, E: Error>(
        _ body:
            @escaping @Sendable (
                _ succeed: @escaping @Sendable (V) -> Void, _ fail: @escaping @Sendable (E) -> Void,
                _ progress: @escaping @Sendable (JobProgress) -> Void
            ) -> Void
    ) -> Job<V, E> {
        Job(body)
    }

    /// See `Job.init(_:)`.
    @available(*, deprecated, renamed: "Job.init(_:)")
    @preconcurrency
    public static func task<V: Sendable, E: Error>(
        _ body:
            @escaping @Sendable (
                _ task: Job<V, E>, _ succeed: @escaping @Sendable (V) -> Void,
                _ fail: @escaping @Sendable (E) -> Void,
                _ progress: @escaping @Sendable (JobProgress) -> Void
            ) -> Void
    ) -> Job<V, E> {
        Job(body)
    }

    /// See `Job.succeeded(_:)`.
    @available(*, deprecated, renamed: "Job.succeeded(_:)")
    public static func succeed<V, E>(_ value: V) -> Job<V, E> { .succeeded(value) }

    // The form for a job whose error type nothing says.
    /// See `Job.succeeded(_:)`.
    @available(*, deprecated, message: "use 'Job<Value, Never>.succeeded(_:)'")
    @_disfavoredOverload
    public static func succeed<V>(_ value: V) -> Job<V, Never> { .succeeded(value) }

    /// See `Job.failed(_:)`.
    @available(*, deprecated, renamed: "Job.failed(_:)")
    public static func fail<V, E>(_ error: E) -> Job<V, E> { .failed(error) }

    // The form for a job whose value's type nothing says.
    /// See `Job.failed(_:)`.
    @available(*, deprecated, message: "use 'Job<Never, Failure>.failed(_:)'")
    @_disfavoredOverload
    public static func fail<E>(_ error: E) -> Job<Never, E> { .failed(error) }

    /// See `Job.sequential(_:)`.
    @available(*, deprecated, renamed: "Job.sequential(_:)")
    public static func sequential<V, E>(_ tasks: [Job<V, E>]) -> Job<[V], E> { .sequential(tasks) }

    /// See `Job.concurrent(_:)`.
    @available(*, deprecated, renamed: "Job.concurrent(_:)")
    public static func concurrent<V, E>(_ tasks: [Job<V, E>]) -> Job<[V], E> { .concurrent(tasks) }
}

/// See `JobProgress`.
@available(*, deprecated, renamed: "JobProgress")
public typealias TaskProgress = JobProgress

/// See `Result`.
@available(*, deprecated, renamed: "Result")
public typealias TaskOutcome<Value, Failure: Error> = Result<Value, Failure>

/// See `Job.State`.
@available(*, deprecated, message: "use 'Job<Value, Failure>.State'")
public typealias TaskState<Value: Sendable, Failure: Error> = Job<Value, Failure>.State

extension Job {
    /// See `Job.onSuccess(on:_:)`.
    @available(*, deprecated, renamed: "onSuccess(_:)")
    @preconcurrency @discardableResult
    public func success(_ body: @escaping @Sendable (Value) -> Void) -> Self { onSuccess(body) }

    /// See `Job.onFailure(on:_:)`.
    @available(*, deprecated, renamed: "onFailure(_:)")
    @preconcurrency @discardableResult
    public func failure(_ body: @escaping @Sendable (Failure) -> Void) -> Self { onFailure(body) }

    /// See `Job.onComplete(on:_:)`.
    @available(*, deprecated, renamed: "onComplete(_:)")
    @preconcurrency @discardableResult
    public func completion(_ body: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Self {
        onComplete(body)
    }

    /// See `Job.onProgress(on:buffering:_:)`.
    @available(*, deprecated, renamed: "onProgress(_:)")
    @preconcurrency @discardableResult
    public func progress(_ body: @escaping @Sendable (JobProgress) -> Void) -> Self {
        onProgress(body)
    }

    /// See `Job.map(_:)`.
    @available(*, deprecated, renamed: "map(_:)")
    @preconcurrency
    public func mapResult<V: Sendable>(
        _ transform: @escaping @Sendable (Value) -> V
    ) -> Job<V, Failure> {
        map(transform)
    }

    /// See `Job.mapProgress(into:)`.
    @available(*, deprecated, message: "use 'mapProgress(into:)' with a range")
    public func mapProgress(byScalingFractionIntoRange range: (Double, Double)) -> Job {
        mapProgress(into: range.0...range.1)
    }
}

extension DispatchQueue {
    /// Returns a job that succeeds on this queue at `deadline`, of Dispatch's monotonic clock, or
    /// at its execution if that is later. `.distantFuture` never comes. See `delay(_:)`.
    ///
    /// **Thread:** any. The timer starts when the job is executed.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    @available(*, deprecated, message: "use 'delay(_:)'")
    public func asyncAfter(deadline: DispatchTime) -> Job<Void, Never> {
        delay { deadline.timeLeft }
    }
}
