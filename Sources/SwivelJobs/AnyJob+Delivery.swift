// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

// How handlers are called. One thread at a time delivers: it calls the immediate ones, in order, and
// sends for the others on their contexts. It also delivers what comes while it does so.
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

    /// Removes the handler of that number, if it is still there.
    func removeHandler(_ number: Int) {
        // Released after the lock.
        _ = withLock { fields in
            fields.handlers.firstIndex { $0.number == number }
                .map { fields.handlers.remove(at: $0) }
        }
    }

    /// Makes all deliveries that are due after `change`, unless another thread does. A first handler
    /// that is immediate starts under the same lock as the change: no cancel comes in between.
    func deliver<R>(after change: (inout JobFields) -> R) -> R {
        var (result, next) = withLock { fields -> (R, (JobEventKinds, [JobHandler])?) in
            let result = change(&fields)
            if fields.isDelivering { return (result, nil) }
            fields.isDelivering = true
            return (result, fields.nextDelivery())
        }
        while let (kind, handlers) = next {
            for handler in handlers where handler.kinds.contains(kind) { hand(kind, to: handler) }
            next = withLock { $0.nextDelivery() }
        }
        return result
    }

    /// Calls the handler, here or on its context, if the job still lets it when it starts.
    private func hand(_ kind: JobEventKinds, to handler: JobHandler) {
        if handler.context.isImmediate { return call(handler, kind) }
        guard kind == .progress else {
            return handler.context.executeBeyondLimit { self.call(handler, kind) }
        }
        let notice = DropNotice((self as any AnyJob, handler)) { job, handler in
            // The context has dropped the call: the listener misses a report, to be released here.
            _ = job.withLock { _ in handler.pending.popFirst() }
        }
        handler.context.executeBeyondLimit {
            let (job, handler) = notice.dismiss()
            job.call(handler, kind)
        }
    }

    private func call(_ handler: JobHandler, _ kind: JobEventKinds) {
        // Cancel handlers, to be released after the lock.
        var useless: [JobHandler] = []
        let event = withLock { fields -> JobEvent? in
            if kind == .progress { return fields.startProgress(handler) }
            let thread = Trampoline.ofThread
            if !handler.context.isImmediate, fields.calls.contains(where: { $0.thread != thread }) {
                fields.state.closeProgress()
                fields.held.append { self.hand(kind, to: handler) }
                return nil
            }
            if kind == .stopped { return .cancelled }
            guard handler.hasStarted || fields.state.startResult(handler.number) else { return nil }
            if fields.dueEnds.isEmpty { swap(&useless, &fields.handlers) }
            return fields.end
        }
        guard let event else { return }
        handler.body(event)
        if kind == .progress { hasReturned(handler) }
    }

    /// A listener has returned from a call.
    private func hasReturned(_ listener: JobHandler) {
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

// Each call of a listener is in one place only: due, on its way to a context, or missed there. So a
// context gets one closure for each, and each closure calls its listener once at most.
extension JobFields {
    /// Has all listeners get `progress`. Returns the reports that it replaces.
    mutating func post(_ progress: JobProgress) -> [JobProgress] {
        var replaced: [JobProgress] = []
        for listener in handlers where listener.kinds == .progress {
            let former = listener.getsAll ? nil : listener.pending.popFirst()
            listener.pending.append(progress)
            if let former { replaced.append(former) } else { dueListeners.append(listener) }
        }
        return replaced
    }

    /// A listener is about to be called. Returns what it gets; `nil`: nothing, or it is being called
    /// already, and will be called again.
    fileprivate mutating func startProgress(_ listener: JobHandler) -> JobEvent? {
        guard state.mayHearProgress(listener.number) else { return nil }
        if calls.contains(where: { $0.listener === listener }) {
            listener.missed += 1
            return nil
        }
        guard let progress = listener.pending.popFirst() else { return nil }
        calls.append((listener, Trampoline.ofThread))
        return .progress(progress)
    }

    /// Takes the next event, and its handlers among others; `nil`: no thread delivers any more.
    fileprivate mutating func nextDelivery() -> (JobEventKinds, [JobHandler])? {
        if let listener = dueListeners.popFirst() { return (.progress, [listener]) }
        guard !dueEnds.isEmpty else {
            isDelivering = false
            return nil
        }
        let kind = dueEnds.isDisjoint(with: .result) ? .stopped : dueEnds.intersection(.result)
        dueEnds.subtract(kind)
        // An immediate handler starts here. If a later one could start before it, on another thread, a
        // cancel would come too late to be announced, and in time to silence this one.
        if kind != .stopped, let first = handlers.first(where: { $0.kinds.contains(kind) }) {
            first.hasStarted = first.context.isImmediate && state.startResult(first.number)
        }
        // A cancel may still come before the result's handlers have started, or be the next end. No
        // progress is delivered any more.
        let mayStop = state.canCancel || !dueEnds.isEmpty
        let announced = handlers
        handlers = mayStop ? handlers.filter { $0.kinds == .stopped } : []
        return (kind, announced)
    }

    /// Adds a handler. Returns the kind of the job's end if the handler is to be called with it.
    fileprivate mutating func admit(_ handler: JobHandler) -> JobEventKinds? {
        handler.number = handlerCount
        handlerCount += 1
        guard let kind = end?.kind else {
            handlers.append(handler)
            return nil
        }
        let isCalled = handler.kinds.contains(kind)
        if isCalled && kind != .stopped { state.awaitResult() }
        // Before an end that is yet to be announced, a handler keeps its place.
        let waits = !handler.kinds.isDisjoint(with: dueEnds)
        if waits || handler.kinds == .stopped && state.keepsCancelHandlers {
            handlers.append(handler)
            return nil
        }
        return isCalled ? kind : nil
    }
}
