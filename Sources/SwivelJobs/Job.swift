// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import SwivelFutures

/// A lazy unit of work that can be cancelled and reports progress. Nothing runs before
/// ``execute()``.
///
/// ```swift
/// let job = Job<Data, any Error> { succeed, fail, progress in
///     download(url, progress: { progress(JobProgress($0)) }, done: succeed, failed: fail)
/// }
/// job.then { parse($0) }.onSuccess(on: .main) { show($0) }.execute()
/// ```
///
/// The first call of `succeed`, `fail` or ``cancel()`` ends a job; later ones are ignored.
/// Immediate handlers run in registration order; the others are independent of each other. A
/// listener's calls come in order and never overlap. A handler that is registered late is still
/// called.
///
/// Composites (`then`, `sequential`, …) execute their parts, and are cancelled when a part is. A
/// part that was executed before is not executed again: the composite takes its result. Cancelling
/// a composite cancels the parts that are executing; those that are over keep their results, and
/// the others are never executed. When a part ends inside its own body, what follows starts after
/// the body has returned, so that trees of any depth need no stack. A body that has ended its job
/// must not wait for what comes after it.
///
/// The functions that a body gets hold the executing job. When both `succeed` and `fail` are
/// released uncalled, nobody can end the job any more: it is abandoned. Its future fails with
/// ``FutureError/abandoned``, a composite is abandoned with its part, and the cancel handlers are
/// called.
public final class Job<Value: Sendable, Failure: Error>: Sendable {
    /// How far a job is.
    public enum State: Sendable {
        /// It waits for ``Job/execute()``.
        case notExecuted
        /// It was executed, and has not ended.
        case executing
        /// It has a value or an error.
        case completed
        /// It was cancelled or abandoned, and has neither.
        case cancelled
    }

    /// Ends the job with a value.
    public typealias Succeed = @Sendable (Value) -> Void
    /// Ends the job with an error.
    public typealias Fail = @Sendable (Failure) -> Void
    /// Reports how far the job is.
    public typealias Report = @Sendable (JobProgress) -> Void

    typealias Event = JobEvent<Value, Failure>
    /// The reaction of a composite or a future to an event of a job. It leaves its next action in
    /// the worklist.
    typealias Observer = @Sendable (Event, JobWorklist) -> Void

    enum Body: Sendable {
        case leaf(@Sendable (Job, @escaping Succeed, @escaping Fail, @escaping Report) -> Void)
        /// Of a composite, or of a job that derives from another one.
        case composite(@Sendable (Job, JobWorklist) -> Void)
    }

    struct Storage {
        var state: JobState
        var body: Body?
        /// How the job ended.
        var end: Event?
        var handlers: [JobHandler<Value, Failure>] = []
        /// The listeners, and what they have yet to get.
        var reports = JobReports()
        /// How many handlers and listeners were ever registered.
        var handlerCount = 0
        var observers: [Observer] = []
        /// Ends that were not announced yet: a result, a cancel, or first the one and then the
        /// other.
        var ends: [Event] = []
        /// Whether a thread delivers.
        var isDelivering = false
        /// Whether an end was announced to the handlers.
        var isAnnounced = false
        /// Parts that are executing, weakly, because parts hold their composites.
        var parts: [Int: JobPart] = [:]
        /// Whether anybody listens to progress. Parts report it only then.
        var wantsProgress = false
        var weight = 1.0
        /// Whether the job is part of a composite, which decides whether to execute it.
        var isAdopted = false
        /// The worklist in which the body is running.
        var worklist: JobWorklist?
        var future: Future<Value, FutureError<Failure>>?
    }

    let storage: Lock<Storage>
    private let file: StaticString
    private let line: UInt

    init(
        body: Body?, isMonotone: Bool = false, weight: Double = 1, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        var storage = Storage(state: JobState(isMonotone: isMonotone), body: body)
        storage.weight = weight
        self.storage = Lock(storage)
        self.file = file
        self.line = line
    }

    /// A job that runs `body`.
    ///
    /// **Thread:** any. `body` runs on the thread that executes the job.
    /// - Parameters:
    ///   - file: The call site, for a debug build's report of a job that was never executed.
    ///   - line: See `file`.
    ///   - body: Gets the functions that end the job. They may be called on any thread, at once or
    ///     later; the first call counts. Releasing both uncalled abandons the job.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (_ succeed: @escaping Succeed, _ fail: @escaping Fail) -> Void
    ) {
        self.init(
            body: .leaf { _, succeed, fail, _ in body(succeed, fail) }, file: file, line: line)
    }

    /// A job that reports progress. See ``init(file:line:_:)``.
    ///
    /// **Thread:** any. `body` runs on the thread that executes the job; `progress` may be called
    /// on any.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ body:
            @escaping @Sendable (
                _ succeed: @escaping Succeed, _ fail: @escaping Fail, _ progress: @escaping Report
            ) -> Void
    ) {
        self.init(
            body: .leaf { _, succeed, fail, report in body(succeed, fail, report) }, file: file,
            line: line)
    }

    /// A job whose body gets the job itself, to read ``isCancelled`` now and then.
    ///
    /// **Thread:** any. `body` runs on the thread that executes the job.
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
        self.init(body: .leaf(body), file: file, line: line)
    }

    /// Makes a job that succeeds as soon as it is executed.
    ///
    /// **Thread:** any.
    /// - Parameter value: The job's value.
    /// - Returns: The job.
    /// - Complexity: O(1).
    public static func succeeded(_ value: Value) -> Job {
        Job(body: .composite { $0.end(.result(.success(value)), in: $1) })
    }

    /// Makes a job that fails as soon as it is executed.
    ///
    /// **Thread:** any.
    /// - Parameter error: The job's error.
    /// - Returns: The job.
    /// - Complexity: O(1).
    public static func failed(_ error: Failure) -> Job {
        Job(body: .composite { $0.end(.result(.failure(error)), in: $1) })
    }

    deinit {
        let (leftovers, forgotten) = storage.withLock { storage in
            (
                JobLeftovers(&storage.body, &storage.observers),
                storage.state.phase == .notExecuted && !storage.isAdopted
                    && storage.handlerCount > 0
            )
        }
        if forgotten {
            Diagnostics.report(
                "a job with handlers was dropped without having been executed; call execute()",
                file: file, line: line)
        }
        leftovers.release()
    }
}

extension Job {
    /// How far the job is.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var state: State {
        switch storage.withLock({ $0.state.phase }) {
        case .notExecuted: .notExecuted
        case .executing: .executing
        case .settled, .completed: .completed
        case .cancelled: .cancelled
        }
    }

    /// Whether the job was cancelled or abandoned. A body may read it to end early.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var isCancelled: Bool { state == .cancelled }

    /// The job's share in the progress of a composite, relative to the other parts; 1 unless set. A
    /// composite reads it when it is executed. If all weights are zero, they count as equal.
    ///
    /// A weight that is negative, infinite or not a number stops the program.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var weight: Double {
        get { storage.withLock { $0.weight } }
        set {
            check(
                newValue >= 0 && newValue.isFinite,
                "a job's weight is a number from 0 up, not \(newValue)")
            storage.withLock { $0.weight = newValue }
        }
    }

    /// Sets ``weight``.
    ///
    /// **Thread:** any.
    /// - Returns: This job.
    /// - Complexity: O(1).
    @discardableResult
    public func setWeight(_ weight: Double) -> Self {
        self.weight = weight
        return self
    }

    /// Runs the job, inside this call. A second call does nothing, nor does one after ``cancel()``.
    ///
    /// **Thread:** any. A composite's later parts run on the threads on which the earlier ones end.
    /// - Returns: This job.
    /// - Complexity: O(1), beside the body and the handlers. No recursion, however deep a composite
    ///   is.
    @discardableResult
    public func execute() -> Self {
        JobWorklist.drive { start(in: $0) }
        return self
    }

    /// Runs the job on a loop, a queue or the pool.
    ///
    /// The job counts as executing at once. Cancelled before it starts there, it never starts. A
    /// context that drops the work, such as a loop that is shut down, cancels it.
    ///
    /// **Thread:** any. The body runs on `context`.
    /// - Returns: This job.
    /// - Complexity: O(1).
    @discardableResult
    public func execute(on context: any ExecutionContext) -> Self {
        if storage.withLock({ $0.state.execute() }) {
            let notice = DropNotice(self) { $0.cancel() }
            context.execute {
                let job = notice.dismiss()
                JobWorklist.drive { job.run(in: $0) }
            }
        }
        return self
    }

    /// Ends the job without a result.
    ///
    /// No success, failure or progress handler starts any more, and the cancel handlers are called
    /// once. A composite's executing parts are cancelled before this returns. A job that has
    /// completed keeps its state and its result; handlers that wait for their contexts do not
    /// start, and if none has started, the cancel handlers are called instead.
    ///
    /// **Thread:** any. Called on a serial context, it is absolute for the handlers there; on a
    /// concurrent context a handler may be about to start.
    /// - Complexity: O(n) in the handlers and executing parts.
    public func cancel() {
        JobWorklist.drive { stop(.cancelled, in: $0) }
    }
}
