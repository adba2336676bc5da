// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelFutures

// Jobs as futures, asynchronous values and sequences of progress; of futures, tasks and timers.
extension Job {
    /// The future of the job's result, always the same one. Reading it executes nothing. It fails
    /// with ``FutureError/failed(_:)`` and the job's error, ``FutureError/cancelled``, or
    /// ``FutureError/abandoned``.
    public var future: Future<Value, FutureError<Failure>> {
        typealias Ending = Future<Value, FutureError<Failure>>
        let (object, isNew) = withLock { fields in
            let known = fields.future
            let future = known ?? Ending(needing: { [weak self] in self?.needs ?? [] })
            fields.future = future
            return (future, known == nil)
        }
        let future = unsafeDowncast(object, to: Ending.self)
        guard isNew else { return future }
        let completer = Completer(future)
        observe { event, _ in
            switch event {
            case .progress: break
            case .success, .failure:
                let result = Self.result(of: event)?.mapError { FutureError.failed($0) }
                if let result { completer.complete(result) }
            case .cancelled: completer.complete(.failure(.cancelled))
            case .abandoned: completer.complete(.failure(.abandoned))
            }
        }
        return future
    }

    /// The value. Executes the job, unless it was executed before, and suspends until it is over.
    /// Cancelling the task cancels the job.
    ///
    /// **Thread:** any task; the body runs on the calling task's thread.
    /// - Throws: The job's error, `CancellationError` after a cancel, or ``FutureError/abandoned``.
    public var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                execute()
                do throws(FutureError<Failure>) {
                    return try await future.get()
                } catch .failed(let error) {
                    throw error
                } catch .cancelled {
                    throw CancellationError()
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// The job's progress from now on, a new sequence at each read. A slow consumer gets the latest
    /// report; the sequence ends with the job. It executes nothing, and makes no task. One that is
    /// dropped, or whose task is cancelled, leaves nothing in the job, in O(n) of its handlers.
    public var progressUpdates: AsyncStream<JobProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { updates in
            // A job that has ended or is dropped releases its listeners. A handler of the end would
            // drop the progress that other listeners have yet to get.
            let notice = DropNotice(updates) { $0.finish() }
            let listener = register(.progress, on: .immediate) {
                if case .progress(let progress) = $0 { notice.payload.yield(progress) }
            }
            updates.onTermination = { [weak self] _ in
                // Released after the lock.
                _ = self?.withLock { fields in
                    fields.handlers.firstIndex { $0.number == listener }
                        .map { fields.handlers.remove(at: $0) }
                }
            }
        }
    }

    /// A job that ends as the future that `make` returns. Cancelling the job does not end the
    /// future, and leaves nothing in it.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(future make: @escaping @Sendable () -> Future<Value, Failure>) {
        self.init { job, succeed, fail, _ in
            let future = make()
            let callback = future.whenCompleted { result in
                // Handlers of the job run in the trampoline, after earlier callbacks of the future.
                JobWorklist.afterCallbacks {
                    switch result {
                    case .success(let value): succeed(value)
                    case .failure(let error): fail(error)
                    }
                }
            }
            if future.isCompleted { return }
            job.noteWait { [.callback(callback)] }
            job.onCancel { callback.remove() }
        }
    }
}

extension Job where Failure == any Error {
    /// A job that runs `body` as an unstructured task, which is cancelled with the job.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(async body: @escaping @Sendable () async throws -> Value) {
        self.init(task: { _ in try await body() })
    }

    /// A job that runs `body` as an unstructured task, which is cancelled with the job, and may
    /// report progress: `Job(async: { report in … report(JobProgress(0.5)) … })`. Reports
    /// after the job's end are ignored.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(
        async body: @escaping @Sendable (_ report: @escaping Report) async throws -> Value
    ) {
        self.init(task: body)
    }
}

// The same for jobs of another `Failure`, such as `Never`. Disfavored: a job whose type is not
// given may fail with any error.
extension Job {
    /// A job that runs `body` as an unstructured task, which is cancelled with the job.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @preconcurrency
    public convenience init(async body: @escaping @Sendable () async throws(Failure) -> Value) {
        self.init(task: { (_) async throws(Failure) in try await body() })
    }

    /// A job that runs `body` as an unstructured task, which is cancelled with the job, and may
    /// report progress. Reports after the job's end are ignored.
    /// - Complexity: O(1).
    @_disfavoredOverload
    @preconcurrency
    public convenience init(
        async body: @escaping @Sendable (_ report: @escaping Report) async throws(Failure) -> Value
    ) {
        self.init(task: body)
    }

    private convenience init(
        task body: @escaping @Sendable (_ report: @escaping Report) async throws(Failure) -> Value
    ) {
        self.init { job, succeed, fail, report in
            let task = Task {
                do throws(Failure) {
                    succeed(try await body(report))
                } catch {
                    fail(error)
                }
            }
            job.onCancel { task.cancel() }
        }
    }

    /// Not callable: the compiler's message says what to write.
    @available(
        *, unavailable,
        message: "write 'Job { succeed, fail, progress in }' and 'execute(on:)', or 'Job(async:)'"
    )
    public convenience init(
        on context: any ExecutionContext,
        _ body: @escaping @Sendable (_ progress: @escaping Report) throws(Failure) -> Value
    ) {
        fatalError()
    }
}

extension ExecutionContext {
    /// Returns a job that succeeds on this context `delay` after it is executed; zero or less: in
    /// the next turn. `loop.delay(.seconds(1)).then(job)` delays another job. Cancelling the job
    /// frees its timer. A loop that is shut down cancels the job. **Thread:** any.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    public func delay(_ delay: Duration) -> Job<Void, Never> { self.delay { delay } }

    /// As above, for a delay that is known only at the execution.
    package func delay(_ delay: @escaping @Sendable () -> Duration) -> Job<Void, Never> {
        Job { job, succeed, _, _ in
            // A loop that takes nothing releases the timer's closure. The notice keeps `succeed`
            // until the job is cancelled: released before that, it would abandon the job.
            let notice = DropNotice((job, succeed)) { job, _ in job.cancel() }
            let timer = schedule(after: delay()) {
                let (_, succeed) = notice.dismiss()
                succeed(())
            }
            job.onCancel { timer.cancel() }
            job.noteWait(for: self)
        }
    }
}
