// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import SwivelFutures

/// A lazy unit of work that can be cancelled and reports progress. Nothing runs before ``execute()``.
///
/// ```swift
/// let job = Job<Data, any Error> { succeed, fail, progress in
///     download(url, progress: { progress(JobProgress($0)) }, done: succeed, failed: fail)
/// }
/// job.then { parse($0) }.onSuccess(on: .main) { show($0) }.execute()
/// ```
///
/// A job is over when its body calls `succeed` or `fail`, or at ``cancel()``, whichever is first; what
/// comes later is ignored. Handlers run in registration order, those on other contexts than
/// `.immediate` each in a lane of its own: its calls come in order and never overlap. A handler that
/// is registered late still hears how the job ended.
///
/// Composites (`then`, `sequential`, …) execute their parts, and are cancelled when a part is. A part
/// that was executed before is not executed again: the composite hears its result. Of a composite
/// that is cancelled, executing parts are cancelled, those that are over keep their results, and
/// those that were not executed never are. What follows a part that ends inside its own body starts
/// when the body has returned, so that trees of any depth need no stack: a body that has ended its job
/// must not wait for what comes after it.
///
/// A job that is executing is held by the functions that its body was given. When the body has released
/// both `succeed` and `fail` without having called either, nobody can end the job any more, whoever
/// holds it: it is abandoned. Its future fails with ``FutureError/abandoned``, a composite is abandoned
/// with its part, and the cancel handlers are called.
public final class Job<Value: Sendable, Failure: Error>: Sendable {
    /// How far a job is.
    public enum State: Sendable {
        /// It was made, and waits for ``Job/execute()``.
        case notExecuted
        /// Its body runs, or what that has started.
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
    /// Says how far the job is.
    public typealias Report = @Sendable (JobProgress) -> Void

    typealias Event = JobEvent<Value, Failure>
    /// What a composite hears of its part; it leaves its next steps in the frame.
    typealias Link = @Sendable (Event, JobFrame) -> Void

    enum Body: Sendable {
        case leaf(@Sendable (Job, @escaping Succeed, @escaping Fail, @escaping Report) -> Void)
        /// Of a composite, or of what derives from another job.
        case composite(@Sendable (Job, JobFrame) -> Void)
    }

    struct Storage {
        var state: JobState
        var body: Body?
        /// How the job ended.
        var end: Event?
        var handlers: [JobHandler<Value, Failure>] = []
        /// Those who hear of progress, and what they have still to hear.
        var reports = JobReports()
        /// How many handlers and listeners were registered.
        var handlerCount = 0
        var links: [Link] = []
        /// Ends that the handlers have not been given yet: a result, a cancel, or the one after the
        /// other. Whether a thread gives handlers and listeners what there is.
        var ends: [Event] = []
        var isDelivering = false
        /// Whether the end is with the handlers.
        var isAnnounced = false
        /// Parts that are executing. They are weak, because parts hold their composites.
        var parts: [Int: JobPart] = [:]
        /// Whether anybody hears of progress. Parts report it only then.
        var wantsProgress = false
        var weight = 1.0
        /// Whether it is part of a composite, which decides whether it is executed.
        var isAdopted = false
        /// The frame in which the body is running.
        var frame: JobFrame?
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

    /// A job that does what `body` says, on the thread that executes it.
    ///
    /// - Parameter body: Is given the functions that end the job. They may be called on any thread, at
    ///   once or later; the first call counts. Released uncalled, both of them, they abandon the job.
    @preconcurrency
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (_ succeed: @escaping Succeed, _ fail: @escaping Fail) -> Void
    ) {
        self.init(
            body: .leaf { _, succeed, fail, _ in body(succeed, fail) }, file: file, line: line)
    }

    /// A job that reports progress. See ``init(file:line:_:)``.
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

    /// A job that is given itself, to look at ``isCancelled`` from time to time.
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

    /// A job that succeeds as soon as it is executed.
    public static func succeeded(_ value: Value) -> Job {
        Job(body: .composite { $0.end(.success(value), in: $1) })
    }

    /// A job that fails as soon as it is executed.
    public static func failed(_ error: Failure) -> Job {
        Job(body: .composite { $0.end(.failure(error), in: $1) })
    }

    deinit {
        let (leftovers, forgotten) = storage.withLock { storage in
            (
                JobLeftovers(&storage.body, &storage.links),
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
    public var state: State {
        switch storage.withLock({ $0.state.phase }) {
        case .notExecuted: .notExecuted
        case .executing: .executing
        case .settled, .completed: .completed
        case .cancelled: .cancelled
        }
    }

    /// Whether the job was cancelled or abandoned. A body may look at it to end early.
    ///
    /// **Thread:** any.
    public var isCancelled: Bool { state == .cancelled }

    /// The job's share in the progress of a composite, relative to the other parts. 1 unless set; a
    /// composite reads it when it is executed. If all weights are zero, they count as equal.
    ///
    /// **Thread:** any. A weight below zero or without an end stops the program.
    public var weight: Double {
        get { storage.withLock { $0.weight } }
        set {
            check(
                newValue >= 0 && newValue.isFinite,
                "a job's weight is a number from 0 up, not \(newValue)")
            storage.withLock { $0.weight = newValue }
        }
    }

    /// Sets ``weight``, and returns the job.
    @discardableResult
    public func setWeight(_ weight: Double) -> Self {
        self.weight = weight
        return self
    }

    /// Runs the job, on the calling thread. A second call, and one after ``cancel()``, does nothing.
    ///
    /// **Thread:** any. A composite's later parts run on the threads on which the earlier ones end.
    /// - Returns: This job.
    /// - Complexity: No recursion, however deep the composite.
    @discardableResult
    public func execute() -> Self {
        JobFrame.drive { start(in: $0) }
        return self
    }

    /// Runs the job on a loop, a queue or the pool.
    ///
    /// The job counts as executing at once. If it is cancelled before it starts there, it never does;
    /// a context that drops the work, such as a loop that is shut down, cancels it.
    ///
    /// **Thread:** any.
    /// - Returns: This job.
    @discardableResult
    public func execute(on context: any ExecutionContext) -> Self {
        if storage.withLock({ $0.state.execute() }) {
            let notice = DropNotice(self) { $0.cancel() }
            context.execute {
                let job = notice.dismiss()
                JobFrame.drive { job.run(in: $0) }
            }
        }
        return self
    }

    /// Ends the job without a result.
    ///
    /// No success, failure or progress handler starts any more, and the cancel handlers are called,
    /// once. Of a composite, executing parts are cancelled before this returns. A job that has
    /// completed keeps its state and its result; handlers that wait for their contexts do not start,
    /// and if none had, the cancel handlers are called in their place.
    ///
    /// **Thread:** any. On a serial context it is absolute for handlers on that context; on a concurrent
    /// one a handler may be about to start.
    public func cancel() {
        JobFrame.drive { stop(.cancelled, in: $0) }
    }
}
