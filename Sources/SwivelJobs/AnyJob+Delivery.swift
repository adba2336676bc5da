// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import SwivelFutures

// How handlers and listeners are called. One thread at a time delivers: it calls the immediate
// ones, in order, and sends for the others on their contexts. It also delivers what comes
// meanwhile.
extension AnyJob {
    /// Delivers `first`, and all that there is besides. Called by the thread that delivers; `nil`:
    /// that is another one, or there is nothing.
    func deliver(_ first: consuming JobDelivery?) {
        var next = first
        while let delivery = next.take() {
            switch consume delivery {
            case .call(let listener, let progress): listener.body(progress)
            case .send(let listener): send(for: listener)
            case .drop: break
            case .end(let announcement): announce(announcement)
            }
            next = withLock { $0.nextDelivery() }
        }
    }

    private func announce(_ announcement: borrowing JobAnnouncement) {
        var hasStarted = announcement.hasStarted
        let kind = announcement.kind
        announcement.handlers.forEach { handler in
            guard handler.kinds.contains(kind) else { return }
            if hasStarted {
                hasStarted = false
                handler.start(self)
            } else {
                handler.hand(kind, of: self)
            }
        }
    }

    /// Has the listener called on its context. If the context drops the call, the listener misses
    /// it.
    private func send(for listener: JobListener) {
        let notice = DropNotice((self, listener)) { job, listener in
            // Released after the lock.
            _ = job.withLock { _ in listener.take() }
        }
        listener.context.executeBeyondLimit {
            let (job, listener) = notice.dismiss()
            job.call(listener)
        }
    }

    /// Calls the listener, on its context, with the next progress that it is to get.
    private func call(_ listener: JobListener) {
        let thread = UnsafeMutableRawPointer(Trampoline.ofThread)
        let progress = withLock {
            $0.state.mayHearProgress(listener.number)
                ? $0.reports?.begin(listener, on: thread) : nil
        }
        guard let progress else { return }
        listener.body(progress)
        guard let (sendsAgain, released) = withLock({ $0.reports?.end(listener, on: thread) })
        else { return }
        if sendsAgain {
            // A context that runs work at once would nest this call in itself. The thread's
            // trampoline runs it after this call has returned.
            Future<Void, Never>(value: ()).onComplete(on: .immediate) { _ in send(for: listener) }
        }
        released.forEach { $0() }
    }

    /// Registers a handler.
    @usableFromInline
    func register(
        _ kinds: JobEventKinds, on context: any ExecutionContext,
        _ closure: JobClosure, _ step: @escaping JobHandler.Step
    ) {
        let handler = JobHandler(kinds, on: context, closure, step)
        if let late = withLock({ $0.admit(handler) }) {
            handler.hand(late, of: self)
        }
    }

    /// Whether `handler` may be called with an end of this kind now.
    func starts(_ handler: JobHandler, with kind: JobEventKinds) -> Bool {
        let thread = UnsafeMutableRawPointer(Trampoline.ofThread)
        // Handlers that can no longer be called are released after the lock.
        let (starts, _) = withLock { cell -> (Bool, JobHandlers) in
            var useless = JobHandlers()
            if !handler.isImmediate, let reports = cell.reports, reports.isCalling(besides: thread)
            {
                cell.state.closeProgress()
                reports.hold { handler.hand(kind, of: self) }
                return (false, useless)
            }
            if kind == .stopped { return (true, useless) }
            let starts = cell.state.startResult(handler.number)
            if starts && cell.isAnnounced && !cell.isStopDue { swap(&useless, &cell.handlers) }
            return (starts, useless)
        }
        return starts
    }
}

/// The next thing that the delivering thread does. It is moved, never copied: a copy counts nine
/// references.
enum JobDelivery: ~Copyable {
    /// Call an immediate listener.
    case call(JobListener, JobProgress)
    /// Have a listener called on its context.
    case send(JobListener)
    /// Release progress that nobody may get any more.
    case drop(JobProgress?)
    /// Call the handlers of an end.
    case end(JobAnnouncement)
}

/// An end, and the handlers that hear of it.
struct JobAnnouncement: ~Copyable {
    let kind: JobEventKinds
    /// Whether the first of them is immediate, and the result's to get.
    let hasStarted: Bool
    let handlers: JobHandlers
    /// To be released after the lock: no progress is delivered any more.
    let listeners: [JobListener]
}

extension JobFields {
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
        handlers.forEach { handler in
            guard handler.kinds.contains(kind) else { return }
            // While somebody delivers, a listener for one, handlers have to wait for that.
            if isDelivering || !handler.isImmediate {
                audience.elsewhere = true
            } else {
                audience.immediate = true
            }
        }
        return audience
    }

    /// As ``nextDelivery()``, for a thread that does not deliver. `nil`: another one does.
    mutating func firstDelivery() -> JobDelivery? {
        if isDelivering { return nil }
        isDelivering = true
        return nextDelivery()
    }

    /// Takes the next delivery; `nil`: there is none, and nobody delivers any more.
    mutating func nextDelivery() -> JobDelivery? {
        if let reports, let listener = reports.nextDue() {
            if !listener.isImmediate { return .send(listener) }
            let progress = listener.take()
            guard let progress, state.mayHearProgress(listener.number) else {
                return .drop(progress)
            }
            return .call(listener, progress)
        }
        if isResultDue || isStopDue { return .end(announce()) }
        isDelivering = false
        return nil
    }

    /// Takes the next end, its handlers, and all listeners: no progress is delivered any more.
    private mutating func announce() -> JobAnnouncement {
        // Nobody hears of a result that a cancel has replaced.
        let kind: JobEventKinds
        if isResultDue, let end, end.kind != .stopped {
            kind = end.kind
        } else {
            (kind, isStopDue) = (.stopped, false)
        }
        isResultDue = false
        isAnnounced = true
        var hasStarted = false
        if kind != .stopped, let first = handlers.first(hearing: kind), first.isImmediate {
            hasStarted = state.startResult(first.number)
        }
        var called = JobHandlers()
        swap(&called, &handlers)
        // A cancel may still come before the result's handlers have started, or be the next end.
        if state.canCancel || isStopDue { handlers = called.hearing(.stopped) }
        return JobAnnouncement(
            kind: kind, hasStarted: hasStarted, handlers: called, listeners: reports?.close() ?? [])
    }

    /// Adds a handler. Returns the kind of the job's end if it was announced before, and the
    /// handler hears of it.
    mutating func admit(_ handler: JobHandler) -> JobEventKinds? {
        handler.number = nextHandlerNumber()
        let hearsOfStop = handler.kinds.contains(.stopped)
        if let kind = end?.kind, kind != .stopped, handler.kinds.contains(kind),
            !handler.isImmediate || !isAnnounced
        {
            state.awaitResult()
        }
        // Behind a cancel that is yet to be announced, a cancel handler keeps its place.
        guard let kind = end?.kind, isAnnounced, !(isStopDue && hearsOfStop) else {
            handlers.append(handler)
            return nil
        }
        if handler.kinds.contains(kind) { return kind }
        if state.keepsCancelHandlers, hearsOfStop { handlers.append(handler) }
        return nil
    }
}
