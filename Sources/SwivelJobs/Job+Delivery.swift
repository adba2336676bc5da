// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

// How handlers and listeners get what is theirs. One thread at a time delivers: it calls those that are
// immediate, in order, and sends the others to their contexts. What comes meanwhile it does as well.
extension Job {
    /// Delivers all that there is. This thread is the one that does.
    func deliver() {
        while let delivery = storage.withLock({ $0.nextDelivery() }) {
            switch delivery {
            case .call(let listener, let progress): listener.body(progress)
            case .send(let listener): send(for: listener)
            case .drop: break
            case .end:
                // Those who listened are released after the lock.
                let (event, handlers, _) = storage.withLock { $0.announce() }
                for handler in handlers where handler.kinds.contains(event.kind) {
                    handler.hand(event, of: self)
                }
            }
        }
    }

    /// Has the listener called on its context. A context that drops the call makes it miss one report.
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

    /// Calls the listener, on its context, with what it is to hear next.
    private func call(_ listener: JobListener) {
        let thread = UnsafeMutableRawPointer(Trampoline.ofThread)
        let (calls, progress) = storage.withLock { $0.begin(listener, on: thread) }
        guard calls, let progress else { return }
        listener.body(progress)
        let (sendsAgain, released) = storage.withLock { $0.reports.end(listener, on: thread) }
        if sendsAgain {
            // A context that runs what it is given at once would nest call in call. What is left to the
            // thread's trampoline comes after the call that leaves it.
            Future<Void, Never>(value: ()).onComplete(on: .immediate) { [self] _ in
                send(for: listener)
            }
        }
        released.forEach { $0() }
    }

    /// Whether `handler`, which is about to hear how the job has ended, may.
    func starts(_ handler: JobHandler<Value, Failure>, with event: Event) -> Bool {
        let thread = UnsafeMutableRawPointer(Trampoline.ofThread)
        // Handlers that nothing can call any more are released after the lock.
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

/// What the thread that delivers is to do next.
enum JobDelivery: Sendable {
    /// Call a listener that is immediate.
    case call(JobListener, JobProgress)
    /// Have a listener called on its context.
    case send(JobListener)
    /// Release what nobody may hear any more.
    case drop(JobProgress?)
    /// Let the handlers hear how the job has ended.
    case end
}

extension Job.Storage {
    /// The number of a handler or listener that is registered.
    mutating func nextHandlerNumber() -> Int {
        defer { handlerCount += 1 }
        return handlerCount
    }

    /// Who is to hear an end of this kind.
    ///
    /// - Complexity: O(handlers).
    func audience(of kind: JobEventKinds) -> JobState.Audience {
        var audience = JobState.Audience(links: !links.isEmpty)
        for handler in handlers where handler.kinds.contains(kind) {
            if !handler.isImmediate {
                audience.elsewhere = true
            } else if audience.immediate == nil {
                audience.immediate = handler.number
            }
        }
        return audience
    }

    /// Adds an end for the handlers to hear. True: the caller is to deliver.
    mutating func post(_ end: Job.Event) -> Bool {
        ends.append(end)
        return startsDelivering()
    }

    /// Whether the caller is to deliver what there is.
    mutating func startsDelivering() -> Bool {
        defer { isDelivering = true }
        return !isDelivering
    }

    /// What is to be done next; `nil`: nothing, and nobody delivers.
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

    /// Takes the next end, and who is there to hear it; nobody is to hear of progress any more.
    mutating func announce() -> (Job.Event, [JobHandler<Value, Failure>], [JobListener]) {
        let event = ends.removeFirst()
        isAnnounced = true
        defer {
            // A cancel may still come before all who hear the result, or be the next end.
            handlers =
                state.canCancel || !ends.isEmpty
                ? handlers.filter { $0.kinds.contains(.stopped) } : []
        }
        return (event, handlers, reports.close())
    }

    /// A listener is about to be called on its context. Returns whether to call it, and with what; what
    /// it may not hear is released outside the lock.
    mutating func begin(
        _ listener: JobListener, on thread: UnsafeMutableRawPointer
    ) -> (calls: Bool, progress: JobProgress?) {
        guard state.mayHearProgress(listener.number) else {
            return (false, reports.take(for: listener))
        }
        let progress = reports.begin(listener, on: thread)
        return (progress != nil, progress)
    }

    /// Adds a handler. Returns how the job ended if that was announced before.
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
