// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Job {
    /// Calls `body` with the value, if there is one.
    ///
    /// **Thread:** any, before or after the job was executed. `body` runs once, on `context`; on
    /// `.immediate` that is the thread that ends the job, or this one if it has ended. It never starts
    /// after ``cancel()``.
    /// - Returns: This job.
    @preconcurrency
    @discardableResult
    public func onSuccess(
        on context: any ExecutionContext = .immediate, _ body: @escaping @Sendable (Value) -> Void
    ) -> Self {
        register(.success, on: context) { if case .success(let value) = $0 { body(value) } }
    }

    /// Calls `body` with the error, if there is one. See ``onSuccess(on:_:)``.
    @preconcurrency
    @discardableResult
    public func onFailure(
        on context: any ExecutionContext = .immediate,
        _ body: @escaping @Sendable (Failure) -> Void
    ) -> Self {
        register(.failure, on: context) { if case .failure(let error) = $0 { body(error) } }
    }

    /// Calls `body` with the result, if there is one; a cancelled job has none. See
    /// ``onSuccess(on:_:)``.
    @preconcurrency
    @discardableResult
    public func onComplete(
        on context: any ExecutionContext = .immediate,
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Self {
        register(.result, on: context) { if let result = $0.result { body(result) } }
    }

    /// Calls `body` with the job's progress, in order and never overlapping.
    ///
    /// A listener that is slower than the reports hears the latest. Fractions are brought into 0…1.
    /// What comes after the end of the job is ignored, and what is unheard when a handler begins to
    /// hear of the end is dropped. Composites report what goes forward only. See ``onSuccess(on:_:)``.
    ///
    /// A handler that is to hear of the end on a context waits until listeners that are being called on
    /// other threads have returned; they must not wait for it.
    /// - Complexity: O(1) for each report. A context gets one closure for each call.
    @preconcurrency
    @discardableResult
    public func onProgress(
        on context: any ExecutionContext = .immediate,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) -> Self {
        onProgress(on: context, buffering: .latest, body)
    }

    /// As ``onProgress(on:_:)``; `buffering` says what a slow listener hears.
    ///
    /// With ``JobProgress/Buffering/all`` each report costs its context a closure. On a serial context
    /// all of them come before the end that is heard there.
    /// - Complexity: O(1) for each report. All that is unheard is kept in memory.
    @preconcurrency
    @discardableResult
    public func onProgress(
        on context: any ExecutionContext = .immediate, buffering: JobProgress.Buffering,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) -> Self {
        JobFrame.drive { listen(in: $0) }
        storage.withLock { storage in
            guard storage.end == nil else { return }
            let number = storage.nextHandlerNumber()
            storage.reports.add(JobListener(number, on: context, hearsAll: buffering == .all, body))
        }
        return self
    }

    /// Calls `body` when the job is cancelled or abandoned, once. See ``onSuccess(on:_:)``.
    @preconcurrency
    @discardableResult
    public func onCancel(
        on context: any ExecutionContext = .immediate, _ body: @escaping @Sendable () -> Void
    ) -> Self {
        register(.stopped, on: context) { _ in body() }
    }

    private func register(
        _ kinds: JobEventKinds, on context: any ExecutionContext,
        _ body: @escaping @Sendable (Event) -> Void
    ) -> Self {
        let (handler, late) = storage.withLock { storage in
            let handler = JobHandler<Value, Failure>(
                storage.nextHandlerNumber(), kinds, on: context, body)
            return (handler, storage.admit(handler))
        }
        if let late { handler.hand(late, of: self) }
        return self
    }
}
