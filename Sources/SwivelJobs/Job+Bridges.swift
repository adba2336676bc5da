// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
public import SwivelFutures

// Jobs as futures, as asynchronous values and as sequences of progress; jobs from futures and
// tasks.
extension Job {
    /// The future of the job's result, always the same one. Reading it executes nothing.
    ///
    /// It fails with ``FutureError/failed(_:)`` and the job's error, with
    /// ``FutureError/cancelled``, or with ``FutureError/abandoned`` if no code can end the job any
    /// more.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    @inlinable
    public var future: Future<Value, FutureError<Failure>> {
        typealias Ending = Future<Value, FutureError<Failure>>
        let (object, isNew) = makeFuture { Ending(needing: needs) }
        let future = unsafeDowncast(object, to: Ending.self)
        guard isNew else { return future }
        let completer = Completer(future)
        observe { event, _ in
            guard case .end(let end) = event else { return }
            switch (end, Self.result(of: end)) {
            case (.stopped(.abandoned), _): completer.complete(.failure(.abandoned))
            case (_, let result?): completer.complete(result.mapError { .failed($0) })
            case (_, nil): completer.complete(.failure(.cancelled))
            }
        }
        return future
    }

    /// The value. Executes the job, unless it was executed before, and suspends until it is over.
    /// Cancelling the task cancels the job.
    ///
    /// **Thread:** any task; the body runs on the calling task's thread.
    /// - Throws: The job's error, `CancellationError` if the job was cancelled, or
    ///   ``FutureError/abandoned`` if no code can end it any more.
    /// - Complexity: As ``execute()``.
    @inlinable
    public var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                execute()
                // A job that has ended at once needs no future.
                if let end = observedEnd(), let result = Self.result(of: end) {
                    return try result.get()
                }
                do throws(FutureError<Failure>) {
                    return try await future.get()
                } catch {
                    switch error {
                    case .failed(let error): throw error
                    case .cancelled: throw CancellationError()
                    default: throw error
                    }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    /// The job's progress from now on. A slow consumer gets the latest report; the sequence ends
    /// with the job.
    ///
    /// Each read gives a new sequence. It executes nothing, and makes no task. A sequence that is
    /// dropped, or whose task is cancelled, leaves nothing in the job.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) for each report, and O(n) in the job's listeners for the end of a
    ///   sequence that ends before the job.
    public var progressUpdates: AsyncStream<JobProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { updates in
            // A job that has ended or is dropped releases its listeners. A handler would end the
            // progress that other listeners have still to get.
            let notice = DropNotice(updates) { $0.finish() }
            let listener = listen(on: .immediate, hearsAll: false) {
                notice.payload.yield($0)
            }
            guard let listener else { return }
            updates.onTermination = { [weak self] _ in
                self?.removeListener(listener)
            }
        }
    }

    /// A job that ends as the future that `make` returns. Cancelling the job does not end the
    /// future, and leaves nothing in it.
    ///
    /// **Thread:** any. `make` runs on the thread that executes the job.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(future make: @escaping @Sendable () -> Future<Value, Failure>) {
        self.init { job, succeed, fail, _ in
            let future = make()
            let registration = future.whenCompleted { result in
                // Handlers of the job run in the trampoline, behind earlier callbacks of the future.
                Future(result: result).onComplete(on: .immediate) { result in
                    switch result {
                    case .success(let value): succeed(value)
                    case .failure(let error): fail(error)
                    }
                }
            }
            if future.isCompleted { return }
            job.noteWait { [registration.need] }
            job.onCancel { registration.remove() }
        }
    }
}

extension Job where Failure == any Error {
    /// A job that runs `body` as a task, which is cancelled with the job.
    ///
    /// **Thread:** any. `body` runs as an unstructured task.
    /// - Complexity: O(1).
    @preconcurrency
    public convenience init(async body: @escaping @Sendable () async throws -> Value) {
        self.init { job, succeed, fail, _ in
            let task = Task {
                do {
                    succeed(try await body())
                } catch {
                    fail(error)
                }
            }
            job.onCancel { task.cancel() }
        }
    }
}
