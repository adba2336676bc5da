// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

// How handlers and listeners are called. One thread at a time delivers: it calls the immediate
// ones, in order, and sends for the others on their contexts. It also delivers what comes
// meanwhile.
extension Job {
    /// Delivers all that there is. Called by the thread that delivers.
    func deliver() {
        while let delivery = storage.withLock({ $0.nextDelivery() }) {
            switch delivery {
            case .call(let listener, let progress): listener.body(progress)
            case .send(let listener): send(for: listener)
            case .drop: break
            case .end:
                // The listeners are released after the lock.
                let (event, handlers, _) = storage.withLock { $0.announce() }
                for handler in handlers where handler.kinds.contains(event.kind) {
                    handler.hand(event, of: self)
                }
            }
        }
    }

    /// Has the listener called on its context. If the context drops the call, the listener misses
    /// it.
    private func send(for listener: JobListener) {
        let notice = DropNotice((self, listener)) { job, listener in
            // Released after the lock.
            _ = job.storage.withLock { $0.reports.take(for: listener) }
        }
        listener.context?.executeBeyondLimit {
            let (job, listener) = notice.dismiss()
            job.call(listener)
        }
    }

    /// Calls the listener, on its context, with the next progress that it is to get.
    private func call(_ listener: JobListener) {
        let thread = UnsafeMutableRawPointer(Trampoline.ofThread)
        let (calls, progress) = storage.withLock { $0.begin(listener, on: thread) }
        guard calls, let progress else { return }
        listener.body(progress)
        let (sendsAgain, released) = storage.withLock { $0.reports.end(listener, on: thread) }
        if sendsAgain {
            // A context that runs work at once would nest this call in itself. The thread's
            // trampoline runs it after this call has returned.
            Future<Void, Never>(value: ()).onComplete(on: .immediate) { [self] _ in
                send(for: listener)
            }
        }
        released.forEach { $0() }
    }

    /// Whether `handler` may be called with the job's end now.
    func starts(_ handler: JobHandler<Value, Failure>, with event: Event) -> Bool {
        let thread = UnsafeMutableRawPointer(Trampoline.ofThread)
        // Handlers that can no longer be called are released after the lock.
        let (starts, _) = storage.withLock { storage in
            var useless: [JobHandler<Value, Failure>] = []
            if !handler.isImmediate, storage.reports.isCalling(besides: thread) {
                storage.state.closeProgress()
                storage.reports.hold { handler.hand(event, of: self) }
                return (false, useless)
            }
            if event.kind == .stopped { return (true, useless) }
            let starts = storage.state.startResult(handler.number)
            if starts && storage.isAnnounced { swap(&useless, &storage.handlers) }
            return (starts, useless)
        }
        return starts
    }
}

/// The next thing that the delivering thread does.
enum JobDelivery: Sendable {
    /// Call an immediate listener.
    case call(JobListener, JobProgress)
    /// Have a listener called on its context.
    case send(JobListener)
    /// Release progress that nobody may get any more.
    case drop(JobProgress?)
    /// Call the handlers of the job's end.
    case end
}

extension Job.Storage {
    /// The number of a new handler or listener.
    mutating func nextHandlerNumber() -> Int {
        defer { handlerCount += 1 }
        return handlerCount
    }

    /// The handlers and observers that are registered for an end of this kind.
    ///
    /// - Complexity: O(handlers).
    func audience(of kind: JobEventKinds) -> JobState.Audience {
        var audience = JobState.Audience(observers: !observers.isEmpty)
        for handler in handlers where handler.kinds.contains(kind) {
            if !handler.isImmediate {
                audience.elsewhere = true
            } else if audience.immediate == nil {
                audience.immediate = handler.number
            }
        }
        return audience
    }

    /// Adds an end for the handlers. True: the caller is the one that delivers it.
    mutating func post(_ end: Job.Event) -> Bool {
        ends.append(end)
        return startsDelivering()
    }

    /// Whether the caller becomes the one that delivers.
    mutating func startsDelivering() -> Bool {
        defer { isDelivering = true }
        return !isDelivering
    }

    /// Takes the next delivery; `nil`: there is none, and nobody delivers any more.
    mutating func nextDelivery() -> JobDelivery? {
        if let listener = reports.nextDue() {
            if listener.context != nil { return .send(listener) }
            let progress = reports.take(for: listener)
            guard let progress, state.mayHearProgress(listener.number) else {
                return .drop(progress)
            }
            return .call(listener, progress)
        }
        if !ends.isEmpty { return .end }
        isDelivering = false
        return nil
    }

    /// Takes the next end, its handlers, and all listeners: no progress is delivered any more.
    mutating func announce() -> (Job.Event, [JobHandler<Value, Failure>], [JobListener]) {
        let event = ends.removeFirst()
        isAnnounced = true
        defer {
            // A cancel may still come before the result's handlers have started, or be the next
            // end.
            handlers =
                state.canCancel || !ends.isEmpty
                ? handlers.filter { $0.kinds.contains(.stopped) } : []
        }
        return (event, handlers, reports.close())
    }

    /// A listener is about to be called on its context. Returns whether to call it, and the
    /// progress, which the caller releases outside the lock if it does not.
    mutating func begin(
        _ listener: JobListener, on thread: UnsafeMutableRawPointer
    ) -> (calls: Bool, progress: JobProgress?) {
        guard state.mayHearProgress(listener.number) else {
            return (false, reports.take(for: listener))
        }
        let progress = reports.begin(listener, on: thread)
        return (progress != nil, progress)
    }

    /// Adds a handler. Returns the job's end if it was announced before.
    mutating func admit(_ handler: JobHandler<Value, Failure>) -> Job.Event? {
        guard let end, isAnnounced else {
            if let end, end.kind != .stopped, !handler.isImmediate { state.awaitResult() }
            handlers.append(handler)
            return nil
        }
        if handler.kinds.contains(end.kind) {
            if end.kind != .stopped, !handler.isImmediate { state.awaitResult() }
            return end
        }
        if state.canCancel, handler.kinds.contains(.stopped) { handlers.append(handler) }
        return nil
    }
}
