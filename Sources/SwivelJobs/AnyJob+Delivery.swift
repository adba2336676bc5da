// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import SwivelFutures

// How handlers and listeners are called. One thread at a time delivers: it calls the immediate
// ones, in order, and sends for the others on their contexts. It also delivers what comes while it
// does so.
extension AnyJob {
    /// Makes `first` and all deliveries that are due, on the thread that delivers.
    func deliver(_ first: JobDelivery?) {
        var next = first
        while let delivery = next {
            switch delivery {
            case .call(let listener, let progress): listener.body(progress)
            case .send(let listener): send(for: listener)
            case .drop: break
            case .end(let announcement):
                var hasStarted = announcement.hasStarted
                for handler in announcement.handlers
                where handler.kinds.contains(announcement.kind) {
                    if hasStarted {
                        handler.body(announcement.end)
                    } else {
                        hand(announcement.kind, to: handler)
                    }
                    hasStarted = false
                }
            }
            next = withLock { $0.nextDelivery() }
        }
    }

    /// Has the listener called on its context. A call that the context drops is missed.
    private func send(for listener: JobListener) {
        let notice = DropNotice((self as any AnyJob, listener)) { job, listener in
            // Released after the lock.
            _ = job.withLock { _ in listener.pending.popFirst() }
        }
        listener.context.executeBeyondLimit {
            let (job, listener) = notice.dismiss()
            job.call(listener)
        }
    }

    /// Calls the listener, on its context, with the next progress that it is to get.
    private func call(_ listener: JobListener) {
        let thread = Trampoline.ofThread
        let progress = withLock {
            $0.state.mayHearProgress(listener.number)
                ? $0.reports.begin(listener, on: thread) : nil
        }
        guard let progress else { return }
        listener.body(progress)
        let (sendsAgain, released) = withLock { $0.reports.end(listener, on: thread) }
        if sendsAgain {
            // A context that runs work at once would nest this call in itself. The thread's
            // trampoline runs it after this call has returned.
            Future<Void, Never>(value: ()).onComplete(on: .immediate) { _ in
                self.send(for: listener)
            }
        }
        released.forEach { $0() }
    }

    /// Registers a handler.
    @usableFromInline
    func register(
        _ kinds: JobEventKinds, on context: any ExecutionContext,
        _ body: @escaping @Sendable (JobEnd) -> Void
    ) {
        let handler = JobHandler(kinds, on: context, body)
        if let late = withLock({ $0.admit(handler) }) { hand(late, to: handler) }
    }

    /// Calls the handler, here or on its context, if the job still lets it when it starts.
    private func hand(_ kind: JobEventKinds, to handler: JobHandler) {
        if handler.isImmediate {
            call(handler, kind)
        } else {
            handler.context.executeBeyondLimit { self.call(handler, kind) }
        }
    }

    private func call(_ handler: JobHandler, _ kind: JobEventKinds) {
        let thread = Trampoline.ofThread
        // Handlers that can no longer be called are released after the lock.
        var useless: [JobHandler] = []
        let end = withLock { fields -> JobEnd? in
            if !handler.isImmediate, fields.reports.isCalling(besides: thread) {
                fields.state.closeProgress()
                fields.reports.held.append { self.hand(kind, to: handler) }
                return nil
            }
            if kind == .stopped { return .stopped(.cancelled) }
            guard fields.state.startResult(handler.number) else { return nil }
            if fields.isAnnounced && !fields.isStopDue { swap(&useless, &fields.handlers) }
            return fields.end
        }
        if let end { handler.body(end) }
    }
}

/// The next thing that the delivering thread does.
enum JobDelivery {
    /// Call an immediate listener.
    case call(JobListener, JobProgress)
    /// Have a listener called on its context.
    case send(JobListener)
    /// Release progress that no listener may get any more.
    case drop(JobProgress?)
    /// Call the handlers of an end.
    case end(JobAnnouncement)
}

/// An end, and all handlers, of which some are to be called with it.
struct JobAnnouncement {
    let kind: JobEventKinds
    let end: JobEnd
    /// Whether the first of them is immediate, and the result's to get.
    let hasStarted: Bool
    let handlers: [JobHandler]
    /// To be released after the lock: no progress is delivered any more.
    let listeners: [JobListener]
}

extension JobFields {
    /// As ``nextDelivery()``, for a thread that does not deliver. `nil`: another one does.
    mutating func firstDelivery() -> JobDelivery? {
        if isDelivering { return nil }
        isDelivering = true
        return nextDelivery()
    }

    /// Takes the next delivery; `nil`: there is none, and no thread delivers any more.
    mutating func nextDelivery() -> JobDelivery? {
        if let listener = reports.due.popFirst() {
            if !listener.isImmediate { return .send(listener) }
            let progress = listener.pending.popFirst()
            guard let progress, state.mayHearProgress(listener.number) else {
                return .drop(progress)
            }
            return .call(listener, progress)
        }
        if isResultDue || isStopDue, let end { return .end(announce(end)) }
        isDelivering = false
        return nil
    }

    /// Takes the next end, its handlers, and all listeners: no progress is delivered any more.
    private mutating func announce(_ end: JobEnd) -> JobAnnouncement {
        // A result that a cancel has replaced is not announced.
        let kind = isResultDue ? end.kind : .stopped
        if kind == .stopped { isStopDue = false }
        isResultDue = false
        isAnnounced = true
        let all = (handlers, reports.listeners)
        var hasStarted = false
        if kind != .stopped, let first = handlers.first(where: { $0.kinds.contains(kind) }),
            first.isImmediate
        {
            hasStarted = state.startResult(first.number)
        }
        // A cancel may still come before the result's handlers have started, or be the next end.
        let mayStop = state.canCancel || isStopDue
        handlers = mayStop ? handlers.filter { $0.kinds.contains(.stopped) } : []
        reports.listeners = []
        return JobAnnouncement(
            kind: kind, end: end, hasStarted: hasStarted, handlers: all.0, listeners: all.1)
    }

    /// Adds a handler. Returns the kind of the job's end if it was announced before, and the
    /// handler is to be called.
    mutating func admit(_ handler: JobHandler) -> JobEventKinds? {
        handler.number = nextHandlerNumber()
        let isForStop = handler.kinds.contains(.stopped)
        if let kind = end?.kind, kind != .stopped, handler.kinds.contains(kind),
            !handler.isImmediate || !isAnnounced
        {
            state.awaitResult()
        }
        // Behind a cancel that is yet to be announced, a cancel handler keeps its place.
        guard let kind = end?.kind, isAnnounced, !(isStopDue && isForStop) else {
            handlers.append(handler)
            return nil
        }
        if handler.kinds.contains(kind) { return kind }
        if state.keepsCancelHandlers, isForStop { handlers.append(handler) }
        return nil
    }
}
