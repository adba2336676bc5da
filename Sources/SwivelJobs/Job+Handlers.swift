// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Job {
    /// Calls `body` on `context` with the value if there is one, once and never after ``cancel()``.
    /// Returns this job, as all of these functions do.
    /// - Complexity: O(1).
    @preconcurrency
    @discardableResult
    public func onSuccess(
        on context: any ExecutionContext = .immediate, _ body: @escaping @Sendable (Value) -> Void
    ) -> Self {
        register(.success, on: context) {
            if case .success(let value) = $0 { body(Self.value(value)) }
        }
        return self
    }

    /// Calls `body` on `context` with the error, if there is one. Returns this job.
    /// - Complexity: O(1).
    @preconcurrency
    @discardableResult
    public func onFailure(
        on context: any ExecutionContext = .immediate,
        _ body: @escaping @Sendable (Failure) -> Void
    ) -> Self {
        register(.failure, on: context) {
            if case .failure(let error) = Self.result(of: $0) { body(error) }
        }
        return self
    }

    /// Calls `body` on `context` with the result, if there is one; a cancelled job has none.
    /// Returns this job.
    /// - Complexity: O(1).
    @preconcurrency
    @discardableResult
    public func onComplete(
        on context: any ExecutionContext = .immediate,
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Self {
        register(.result, on: context) { if let result = Self.result(of: $0) { body(result) } }
        return self
    }

    /// Calls `body` on `context` with the job's progress. Calls come in order and never overlap.
    ///
    /// A listener that is slower than the reports gets the latest, or all. Fractions are clamped to
    /// 0…1; composites never report a smaller one than before. Reports after the end are ignored,
    /// and those that are pending when a handler of the end starts are dropped. A handler of the
    /// end that runs on a context starts after the listeners have returned that are being called on
    /// other threads. A listener must not wait for such a handler.
    ///
    /// **Thread:** any. On `.immediate`, `body` runs in the thread that reports, or in one that is
    /// calling it already: that one stays as long as reports come faster than `body` takes.
    /// - Parameter buffering: With `.all`, pending reports are kept in memory, and come before a
    ///   handler of the end on the same serial context.
    /// - Returns: This job.
    /// - Complexity: O(1) for each report. A context gets one closure for each call.
    @preconcurrency
    @discardableResult
    public func onProgress(
        on context: any ExecutionContext = .immediate, buffering: JobProgress.Buffering = .latest,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) -> Self {
        register(.progress, on: context, getsAll: buffering == .all) {
            if case .progress(let progress) = $0 { body(progress) }
        }
        return self
    }

    /// Calls `body` on `context` once, if the job is cancelled or abandoned. Returns this job.
    /// - Complexity: O(1).
    @preconcurrency
    @discardableResult
    public func onCancel(
        on context: any ExecutionContext = .immediate, _ body: @escaping @Sendable () -> Void
    ) -> Self {
        register(.stopped, on: context) { _ in body() }
        return self
    }

    /// The value that an event of this job carries. A cast would look up several types.
    private static func value<V: Sendable>(_ value: V) -> Value {
        precondition(V.self == Value.self, "the event of another job")
        return unsafeBitCast(value, to: Value.self)
    }

    /// The result that an event of this job carries; `nil`: none.
    static func result(of event: JobEvent) -> Result<Value, Failure>? {
        switch event {
        case .success(let value): .success(Self.value(value))
        case .failure(let error): (error as? Failure).map { .failure($0) }
        case .progress, .cancelled, .abandoned: nil
        }
    }
}
