// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

// How handlers are called. One thread at a time delivers, also what comes in the meantime: it calls
// the immediate handlers, in order, and sends the others to their contexts.
extension AnyJob {
    /// Registers a handler. Returns its number.
    @discardableResult
    func register(
        _ kinds: JobEventKinds, on context: any ExecutionContext, getsAll: Bool = false,
        _ body: @escaping @Sendable (JobEvent) -> Void
    ) -> Int {
        let handler = JobHandler(kinds, on: context, getsAll: getsAll, body)
        if let end = withLock({ $0.admit(handler) }) { hand(end, to: handler) }
        if kinds == .progress { JobWorklist.drive { listen(in: $0) } }
        return handler.number
    }

    /// Makes all deliveries that are due after `change`, unless another thread does. An immediate
    /// first handler starts under the same lock as the change: no cancel comes in between.
    func deliver(after change: (inout JobFields) -> Void) {
        var next = withLock { fields in
            change(&fields)
            return fields.isDelivering ? nil : fields.nextDelivery()
        }
        while var delivery = next.take() {
            for handler in delivery.handlers where handler.kinds.contains(delivery.kind) {
                if let event = delivery.started.take() {
                    handler.body(event)
                } else {
                    hand(delivery.kind, to: handler)
                }
            }
            next = withLock { $0.nextDelivery() }
        }
    }

    /// Calls the handler, here or on its context, if the job still lets it when it starts.
    private func hand(_ kind: JobEventKinds, to handler: JobHandler) {
        if handler.context.isImmediate { return call(handler, kind) }
        guard kind == .progress else {
            return handler.context.executeBeyondLimit { self.call(handler, kind) }
        }
        let notice = DropNotice((self as any AnyJob, handler)) { job, handler in
            // The context has dropped the call: the listener misses a report, released here.
            _ = job.withLock { _ in handler.pending.popFirst() }
        }
        handler.context.executeBeyondLimit {
            let (job, handler) = notice.dismiss()
            job.callListener(handler)
        }
    }

    private func call(_ handler: JobHandler, _ kind: JobEventKinds) {
        if kind == .progress { return callListener(handler) }
        // Cancel handlers, to be released after the lock.
        var useless: [JobHandler] = []
        let event = withLock { fields -> JobEvent? in
            let thread = Trampoline.ofThread
            if !handler.context.isImmediate, fields.calls.contains(where: { $0.thread != thread }) {
                fields.state.closeProgress()
                fields.held.append { self.hand(kind, to: handler) }
                return nil
            }
            if kind == .stopped { return .cancelled }
            guard fields.state.startResult(handler.number) else { return nil }
            if fields.dueEnds.isEmpty { swap(&useless, &fields.handlers) }
            return fields.end
        }
        if let event { handler.body(event) }
    }

    /// Calls a listener with the next report. If it is being called already, it is called again.
    private func callListener(_ listener: JobHandler) {
        let progress = withLock { fields -> JobProgress? in
            guard fields.state.mayHearProgress(listener.number) else { return nil }
            if fields.calls.contains(where: { $0.listener === listener }) {
                listener.missed += 1
                return nil
            }
            guard let progress = listener.pending.popFirst() else { return nil }
            fields.calls.append((listener, Trampoline.ofThread))
            return progress
        }
        guard let progress else { return }
        listener.body(.progress(progress))
        let (isMissed, released) = withLock { fields in
            fields.calls.removeAll { $0.listener === listener }
            let isMissed = listener.missed > 0
            if isMissed { listener.missed -= 1 }
            var released: [@Sendable () -> Void] = []
            if fields.calls.isEmpty { swap(&released, &fields.held) }
            return (isMissed, released)
        }
        // A context that runs work at once would nest the next call in this one.
        if isMissed { JobWorklist.afterCallbacks { self.hand(.progress, to: listener) } }
        released.forEach { $0() }
    }
}

/// An event that one thread delivers.
private struct JobDelivery {
    let kind: JobEventKinds
    /// Its handlers, among others.
    var handlers: [JobHandler] = []
    /// The end, with which the first of them has started.
    var started: JobEvent?
}

// Each call of a listener is in one place only: due, on its way to a context, or missed there. So a
// context gets one closure for each, and each closure calls its listener once at most.
extension JobFields {
    /// Publishes a report to all listeners. Returns it, and the reports that it replaces.
    mutating func publish(_ report: JobProgress) -> (JobProgress, replaced: [JobProgress])? {
        let hasUserInfo = report.userInfo != nil
        guard let fraction = state.report(report.fraction, hasUserInfo: hasUserInfo), wantsProgress
        else { return nil }
        let progress = JobProgress(fraction, userInfo: report.userInfo)
        var replaced: [JobProgress] = []
        for listener in handlers where listener.kinds == .progress {
            let former = listener.getsAll ? nil : listener.pending.popFirst()
            listener.pending.append(progress)
            if let former { replaced.append(former) } else { dueListeners.append(listener) }
        }
        return (progress, replaced)
    }

    /// Takes the next delivery; `nil`: no thread delivers any more.
    fileprivate mutating func nextDelivery() -> JobDelivery? {
        let listener = dueListeners.popFirst()
        isDelivering = listener != nil || !dueEnds.isEmpty
        if let listener { return JobDelivery(kind: .progress, handlers: [listener]) }
        guard isDelivering else { return nil }
        let kind = dueEnds.isDisjoint(with: .result) ? .stopped : dueEnds.intersection(.result)
        dueEnds.subtract(kind)
        var delivery = JobDelivery(kind: kind)
        // If a later handler could start before an immediate one, on another thread, a cancel would
        // come too late to be announced, and in time to silence this one.
        if kind != .stopped, let first = handlers.first(where: { $0.kinds.contains(kind) }),
            first.context.isImmediate, state.startResult(first.number)
        {
            delivery.started = end
        }
        // A cancel may come before the result's handlers have started, or be the next end.
        let mayStop = state.canCancel || !dueEnds.isEmpty
        swap(&delivery.handlers, &handlers)
        if mayStop { handlers = delivery.handlers.filter { $0.kinds == .stopped } }
        return delivery
    }

    /// Adds a handler. Returns the kind of the job's end if the handler is to be called with it.
    fileprivate mutating func admit(_ handler: JobHandler) -> JobEventKinds? {
        handler.number = handlerCount
        handlerCount += 1
        let kind = end?.kind
        let isCalled = kind.map { handler.kinds.contains($0) } ?? false
        if isCalled && kind != .stopped { state.awaitResult() }
        // Before an end that is yet to be announced, a handler keeps its place.
        let isKept =
            kind == nil || !handler.kinds.isDisjoint(with: dueEnds)
            || handler.kinds == .stopped && state.keepsCancelHandlers
        if isKept { handlers.append(handler) }
        return isCalled && !isKept ? kind : nil
    }
}
