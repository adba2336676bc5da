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

/// Runs a composite.
@frozen @usableFromInline
struct JobComposite {
    @usableFromInline let run: @Sendable (AnyJob, JobWorklist) -> Void

    @inlinable
    init(_ run: @escaping @Sendable (AnyJob, JobWorklist) -> Void) { self.run = run }
}

// The three forms of a user's body.
extension Job {
    /// A body that reports nothing.
    @frozen @usableFromInline
    struct Work {
        @usableFromInline typealias Run = @Sendable (@escaping Succeed, @escaping Fail) -> Void
        @usableFromInline let run: Run

        @inlinable
        init(_ run: @escaping Run) { self.run = run }
    }

    /// A body that reports progress.
    @frozen @usableFromInline
    struct ReportingWork {
        @usableFromInline typealias Run =
            @Sendable (@escaping Succeed, @escaping Fail, @escaping Report) -> Void
        @usableFromInline let run: Run

        @inlinable
        init(_ run: @escaping Run) { self.run = run }
    }

    /// A body that gets its job too.
    @frozen @usableFromInline
    struct ObservantWork {
        @usableFromInline typealias Run =
            @Sendable (Job, @escaping Succeed, @escaping Fail, @escaping Report) -> Void
        @usableFromInline let run: Run

        @inlinable
        init(_ run: @escaping Run) { self.run = run }
    }
}
