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

    /// Calls `body` each time that the job reports progress, in order and never overlapping.
    ///
    /// Fractions are brought into 0…1; what comes after the end of the job is ignored. Composites
    /// report what goes forward only. See ``onSuccess(on:_:)``.
    @preconcurrency
    @discardableResult
    public func onProgress(
        on context: any ExecutionContext = .immediate,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) -> Self {
        JobFrame.drive { listen(in: $0) }
        return register(.progress, on: context) {
            if case .progress(let progress) = $0 { body(progress) }
        }
    }

    /// Calls `body` when the job is cancelled, once. See ``onSuccess(on:_:)``.
    @preconcurrency
    @discardableResult
    public func onCancel(
        on context: any ExecutionContext = .immediate, _ body: @escaping @Sendable () -> Void
    ) -> Self {
        register(.cancelled, on: context) { _ in body() }
    }

    private func register(
        _ kinds: JobEventKinds, on context: any ExecutionContext,
        _ body: @escaping @Sendable (Event) -> Void
    ) -> Self {
        let (handler, late) = storage.withLock { storage in
            let handler = JobHandler<Value, Failure>(storage.handlerCount, kinds, on: context, body)
            storage.handlerCount += 1
            return (handler, storage.admit(handler))
        }
        if let late { handler.hand(late, of: self) }
        return self
    }

    /// Gives the handlers their events, in order. This thread is the one that does.
    func deliver() {
        while let (event, handlers) = storage.withLock({ $0.nextEvent() }) {
            for handler in handlers where handler.kinds.contains(event.kind) {
                handler.hand(event, of: self)
            }
        }
    }

    /// Whether `handler`, which is about to start, may.
    func starts(_ handler: JobHandler<Value, Failure>, with event: Event) -> Bool {
        // Handlers that nothing can call any more are released after the lock.
        let (starts, _) = storage.withLock { storage in
            var useless: [JobHandler<Value, Failure>] = []
            switch event {
            case .progress: return (storage.state.mayHearProgress(handler.number), useless)
            case .cancelled: return (true, useless)
            case .success, .failure:
                let starts = storage.state.startResult(handler.number)
                if starts && storage.isAnnounced { swap(&useless, &storage.handlers) }
                return (starts, useless)
            }
        }
        return starts
    }
}

extension Job.Storage {
    /// Who is to hear an end of this kind.
    func audience(of kind: JobEventKinds) -> JobState.Audience {
        let hearing = handlers.filter { $0.kinds.contains(kind) }
        return JobState.Audience(
            links: !links.isEmpty, immediate: hearing.first(where: \.isImmediate)?.number,
            elsewhere: hearing.contains { !$0.isImmediate })
    }

    /// Adds an event for the handlers. True: the caller is to deliver.
    mutating func post(_ event: Job.Event) -> Bool {
        events.append(event)
        defer { isDelivering = true }
        return !isDelivering
    }

    /// The next event, and the handlers there are for it; `nil`: there is none, and nobody delivers.
    mutating func nextEvent() -> (Job.Event, [JobHandler<Value, Failure>])? {
        guard !events.isEmpty else {
            isDelivering = false
            return nil
        }
        let event = events.removeFirst()
        defer {
            if event.kind != .progress {
                isAnnounced = true
                // A cancel may still come before all who hear the result.
                handlers =
                    state.canCancel ? handlers.filter { $0.kinds.contains(.cancelled) } : []
            }
        }
        return (event, handlers)
    }

    /// Adds a handler. Returns how the job ended if that was announced before.
    mutating func admit(_ handler: JobHandler<Value, Failure>) -> Job.Event? {
        guard let end, isAnnounced else {
            if let end, end.kind != .cancelled, !handler.isImmediate { state.awaitResult() }
            handlers.append(handler)
            return nil
        }
        if handler.kinds.contains(end.kind) {
            if end.kind != .cancelled, !handler.isImmediate { state.awaitResult() }
            return end
        }
        if state.canCancel, handler.kinds.contains(.cancelled) { handlers.append(handler) }
        return nil
    }
}
