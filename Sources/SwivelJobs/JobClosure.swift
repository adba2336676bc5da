// SPDX-License-Identifier: Apache-2.0

/// A closure without its type, which its step knows.
///
/// A closure of one type inside a closure of another is one more allocation. A struct around it
/// keeps its calling convention.
@usableFromInline
struct JobClosure: Sendable {
    private let run: @Sendable () -> Void

    /// - Parameter closure: A struct around a closure.
    @inlinable
    init<Closure>(_ closure: Closure) {
        self = unsafeBitCast(closure, to: JobClosure.self)
    }

    @inlinable
    func typed<Closure>(_: Closure.Type) -> Closure {
        unsafeBitCast(self, to: Closure.self)
    }
}

/// The body of a job.
@usableFromInline
struct JobBody: Sendable {
    /// Captures nothing.
    @usableFromInline typealias Step = @Sendable (JobClosure, AnyJob, JobWorklist) -> Void

    let closure: JobClosure
    let step: Step

    @usableFromInline
    init(_ closure: JobClosure, _ step: @escaping Step) {
        self.closure = closure
        self.step = step
    }
}

/// Gets the result of a job.
@frozen @usableFromInline
struct JobEffect<Input> {
    @usableFromInline let run: @Sendable (Input) -> Void

    @inlinable
    init(_ run: @escaping @Sendable (Input) -> Void) { self.run = run }
}

/// Runs a composite.
@frozen @usableFromInline
struct JobComposite {
    @usableFromInline let run: @Sendable (AnyJob, JobWorklist) -> Void

    @inlinable
    init(_ run: @escaping @Sendable (AnyJob, JobWorklist) -> Void) { self.run = run }
}

// The three forms of a user's body.

/// A body that reports nothing.
@frozen @usableFromInline
struct JobWork<Value: Sendable, Failure: Error> {
    @usableFromInline let run:
        @Sendable (
            @escaping Job<Value, Failure>.Succeed, @escaping Job<Value, Failure>.Fail
        ) -> Void

    @inlinable
    init(
        _ run:
            @escaping @Sendable (
                @escaping Job<Value, Failure>.Succeed, @escaping Job<Value, Failure>.Fail
            ) -> Void
    ) { self.run = run }
}

/// A body that reports progress.
@frozen @usableFromInline
struct JobReportingWork<Value: Sendable, Failure: Error> {
    @usableFromInline let run:
        @Sendable (
            @escaping Job<Value, Failure>.Succeed, @escaping Job<Value, Failure>.Fail,
            @escaping Job<Value, Failure>.Report
        ) -> Void

    @inlinable
    init(
        _ run:
            @escaping @Sendable (
                @escaping Job<Value, Failure>.Succeed, @escaping Job<Value, Failure>.Fail,
                @escaping Job<Value, Failure>.Report
            ) -> Void
    ) { self.run = run }
}

/// A body that gets its job too.
@frozen @usableFromInline
struct JobObservantWork<Value: Sendable, Failure: Error> {
    @usableFromInline let run:
        @Sendable (
            Job<Value, Failure>, @escaping Job<Value, Failure>.Succeed,
            @escaping Job<Value, Failure>.Fail, @escaping Job<Value, Failure>.Report
        ) -> Void

    @inlinable
    init(
        _ run:
            @escaping @Sendable (
                Job<Value, Failure>, @escaping Job<Value, Failure>.Succeed,
                @escaping Job<Value, Failure>.Fail, @escaping Job<Value, Failure>.Report
            ) -> Void
    ) { self.run = run }
}
