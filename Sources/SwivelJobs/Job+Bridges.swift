// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
public import SwivelFutures

// Jobs as futures, as asynchronous values and as streams of progress, and the other way round.
extension Job {
    /// How the job ends, as a future, always the same one.
    ///
    /// It fails with ``FutureError/failed(_:)`` and the job's error, with ``FutureError/cancelled``, or
    /// with ``FutureError/abandoned`` if nobody can end the job any more. Asking for it executes
    /// nothing.
    ///
    /// **Thread:** any.
    public var future: Future<Value, FutureError<Failure>> {
        let (future, isNew) = storage.withLock { storage in
            let isNew = storage.future == nil
            let future = storage.future ?? Future()
            storage.future = future
            return (future, isNew)
        }
        guard isNew else { return future }
        let completer = Completer(future)
        JobFrame.drive { frame in
            connect(in: frame) { event, _ in
                switch event {
                case .progress: break
                case .success(let value): completer.complete(.success(value))
                case .failure(let error): completer.complete(.failure(.failed(error)))
                case .stopped(.cancelled): completer.complete(.failure(.cancelled))
                case .stopped(.abandoned): completer.complete(.failure(.abandoned))
                }
            }
        }
        return future
    }

    /// The value; executes the job, on the calling task's thread, if nobody has, and suspends until it
    /// is over.
    ///
    /// Cancelling the task cancels the job.
    /// - Throws: The job's error, `CancellationError` if the job was cancelled, or
    ///   ``FutureError/abandoned`` if nobody can end it any more.
    public var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                let future = self.future
                execute()
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

    /// What the job reports from now on. Who is slow gets the latest; the sequence ends with the job.
    ///
    /// Nothing is executed, and no task is made. Each sequence that you ask for is one of its own.
    ///
    /// **Thread:** any.
    public var progressUpdates: AsyncStream<JobProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { updates in
            onProgress { updates.yield($0) }
            // The future also fails for a job that is dropped. It is no handler: others still hear what
            // they have not heard.
            future.onComplete(on: .immediate) { _ in updates.finish() }
        }
    }

    /// The job that ends as the future does that `make` returns, which is called when the job is
    /// executed. A cancelled job no longer looks at the future.
    public convenience init(future make: @escaping @Sendable () -> Future<Value, Failure>) {
        self.init { succeed, fail in
            make().onComplete(on: .immediate) { result in
                switch result {
                case .success(let value): succeed(value)
                case .failure(let error): fail(error)
                }
            }
        }
    }
}

extension Job where Failure == any Error {
    /// The job that runs `body` as a task, which is cancelled with the job.
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
