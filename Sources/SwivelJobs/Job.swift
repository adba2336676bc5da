// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// A lazy unit of work with progress and cancellation. Nothing runs before ``execute()``.
///
/// ```swift
/// let job = Job<Data, any Error> { succeed, fail, progress in
///     download(
///         url, progress: { progress(JobProgress($0)) }, done: succeed,
///         failed: fail)
/// }
/// job.then { parse($0) }.onSuccess(on: .main) { show($0) }.execute()
/// ```
///
/// The first call of `succeed`, `fail` or ``cancel()`` ends a job; later ones are ignored. The two
/// functions hold the executing job. Releasing both uncalled abandons it: its future fails with
/// ``FutureError/abandoned``, a composite is abandoned with its part, and the cancel handlers are
/// called. A body that has ended its job must not wait for what follows.
///
/// A handler that is registered late is still called. Immediate handlers run in registration order;
/// the others are independent of each other.
///
/// Composites (`then`, `map`, `sequential`, …) execute their parts, pass on the errors, values and
/// progress that they do not replace, and are cancelled when a part is. A part that was executed
/// before is not executed again: the composite takes its result. Cancelling a composite cancels the
/// parts that are executing; those that are over keep their results, and the others are never
/// executed. When a part ends inside its own body, what follows starts after the body has returned,
/// so that trees of any depth need no stack.
///
/// **Thread:** any. A body runs on the thread that executes the job, what follows a job on the
/// thread on which it ends, and a handler on its context: on `.immediate` in the thread that ends
/// the job, or in the call that registers the handler if the job has ended. While a thread calls
/// `.immediate` handlers, it calls those of other threads' reports as well, and of the end.
public final class Job<Value: Sendable, Failure: Error>: AnyJob, Sendable {
    /// How far a job is.
    public enum State: Sendable {
        /// It waits for ``Job/execute()``.
        case notExecuted
        /// It was executed, and has not ended.
        case executing
        /// It has a result, which ``Job/cancel()`` may take away while it only waits for handlers.
        case completed
        /// It was cancelled or abandoned, and has no result.
        case cancelled
    }

    /// Ends the job with a value.
    public typealias Succeed = @Sendable (Value) -> Void
    /// Ends the job with an error.
    public typealias Fail = @Sendable (Failure) -> Void
    /// Reports how far the job is.
    public typealias Report = @Sendable (JobProgress) -> Void

    let fields: LockedMemory<JobFields>

    init(
        isMonotone: Bool = false, weight: Double = 1, file: StaticString = #fileID,
        line: UInt = #line, run: @escaping JobWork.Body
    ) {
        fields = LockedMemory(
            JobFields(
                file: file, line: line, state: JobState(isMonotone: isMonotone),
                work: JobWork(body: run), weight: weight))
    }

    deinit {
        JobFields.release(fields)
        fields.deallocate()
    }

    /// A job that runs `body`, which gets the functions that end it, to be called on any thread, at
    /// once or later. A debug build reports a job that was never executed, with `file` and `line`.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (_ succeed: @escaping Succeed, _ fail: @escaping Fail) -> Void
    ) {
        self.init(file: file, line: line) { job, _ in
            let (succeed, fail) = Self.ends(of: job)
            body(succeed, fail)
        }
    }

    /// A job whose `body` may report progress, on any thread.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ body:
            @escaping @Sendable (
                _ succeed: @escaping Succeed, _ fail: @escaping Fail, _ progress: @escaping Report
            ) -> Void
    ) {
        self.init(file: file, line: line) { job, _ in
            let (succeed, fail) = Self.ends(of: job)
            body(succeed, fail) { job.report($0) }
        }
    }

    /// A job whose `body` gets the job itself, to read ``isCancelled`` now and then.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ body:
            @escaping @Sendable (
                _ task: Job, _ succeed: @escaping Succeed, _ fail: @escaping Fail,
                _ progress: @escaping Report
            ) -> Void
    ) {
        self.init(file: file, line: line) { job, _ in
            let (succeed, fail) = Self.ends(of: job)
            body(unsafeDowncast(job, to: Job.self), succeed, fail) { job.report($0) }
        }
    }

    /// Makes the functions that end the job. Only they hold the notice, which abandons the job if
    /// it is released.
    private static func ends(of job: any AnyJob) -> (succeed: Succeed, fail: Fail) {
        let notice = DropNotice(job) { $0.end(.abandoned) }
        return ({ notice.dismiss().end(.success($0)) }, { notice.dismiss().end(.failure($0)) })
    }

    /// Returns a job that succeeds with `value` as soon as it is executed.
    /// - Complexity: O(1).
    public static func succeeded(_ value: Value) -> Job {
        Job(run: { $0.end(.success(value), in: $1) })
    }

    /// Returns a job that fails with `error` as soon as it is executed.
    /// - Complexity: O(1).
    public static func failed(_ error: Failure) -> Job {
        Job(run: { $0.end(.failure(error), in: $1) })
    }

    /// How far the job is.
    public var state: State {
        switch withLock(\.state.phase) {
        case .notExecuted: .notExecuted
        case .executing: .executing
        case .resolved, .completed: .completed
        case .cancelled: .cancelled
        }
    }

    /// Whether the job was cancelled or abandoned. A body may read it to end early.
    public var isCancelled: Bool { state == .cancelled }

    /// The job's share in a composite's progress, relative to the other parts, at the composite's
    /// execution; 1 unless set. All zero count as equal. Negative, infinite or NaN weights trap.
    public var weight: Double {
        get { withLock(\.weight) }
        set { setWeight(newValue) }
    }

    /// Sets the job's `weight`, and returns this job. A trap names `file` and `line`.
    /// - Complexity: O(1).
    @discardableResult
    public func setWeight(
        _ weight: Double, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        check(
            weight >= 0 && weight.isFinite, "a job's weight is a number from 0 up, not \(weight)",
            file: file, line: line)
        withLock { $0.weight = weight }
        return self
    }

    /// Runs the job inside this call, unless it was executed or cancelled before. Returns this job.
    /// - Complexity: O(1) and the body and the handlers. No recursion, however deep a composite is.
    @discardableResult
    public func execute() -> Self {
        JobWorklist.drive { run(in: $0, executes: true) }
        return self
    }

    /// Runs the job on `context`, unless it was executed or cancelled before. Returns this job,
    /// which counts as executing at once. Cancelled before it starts there, it never starts. A
    /// context that drops the work, such as a loop that is shut down, cancels it.
    /// - Complexity: O(1).
    @discardableResult
    public func execute(on context: any ExecutionContext) -> Self {
        guard withLock({ $0.state.execute() }) else { return self }
        noteWait(for: context)
        let notice = DropNotice(self) { $0.cancel() }
        context.execute {
            let job = notice.dismiss()
            JobWorklist.drive { job.run(in: $0) }
        }
        return self
    }

    /// Ends the job without a result: no success, failure or progress handler starts any more, and
    /// the cancel handlers are called once. Returns after a composite's parts were cancelled.
    ///
    /// A completed job keeps its state and its result if the result was taken: by a handler that
    /// has started, a composite, ``future``, or ``value``. Handlers that wait for their contexts do
    /// not start, and if none has started, the cancel handlers are called instead. A result that
    /// only waits for such handlers is released, and the state becomes ``State/cancelled``. The end
    /// of a job releases its cancel handlers, unless a handler waits.
    ///
    /// **Thread:** any. Called on a serial context, it is absolute for the handlers there; on a
    /// concurrent context a handler may be about to start.
    /// - Complexity: O(n) in the handlers and executing parts.
    public func cancel() { JobWorklist.drive { cancel(in: $0) } }
}
