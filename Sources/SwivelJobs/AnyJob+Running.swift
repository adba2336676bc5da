// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

// How a job runs and ends. Decisions are made under the lock, and carried out after it; what
// concerns other jobs goes into the worklist.
extension AnyJob {
    /// Runs the job in this call, unless it was executed before.
    func start() {
        JobWorklist.drive { run(in: $0, isFirst: true) }
    }

    /// Has the job run next, unless it was executed before.
    func start(in worklist: JobWorklist) {
        if withLock({ $0.state.execute() }) {
            worklist.push { self.run(in: worklist) }
        }
    }

    /// Runs a job that is executing. `isFirst`: unless it was executed before.
    func run(in worklist: JobWorklist, isFirst: Bool = false) {
        // The job waits for its context no more. The context is released after the lock.
        let (body, needs) = withLock { fields -> (JobBody?, JobFields.Needs?) in
            if isFirst && !fields.state.execute() { return (nil, nil) }
            defer { (fields.body, fields.needs) = (nil, nil) }
            if fields.body != nil { fields.running = (Trampoline.ofThread, worklist) }
            return (fields.body, fields.needs)
        }
        guard let body else { return extendLifetime(needs) }
        body.run(self, worklist)
        withLock { $0.running = nil }
    }

    /// Publishes progress to listeners and observers.
    ///
    /// - Parameter worklist: `nil`: a new one.
    @usableFromInline
    func report(_ progress: JobProgress, in worklist: JobWorklist? = nil) {
        var published = progress
        var observers: [JobFields.Observer] = []
        var replaced: [any Sendable] = []
        let delivery = withLock { fields -> JobDelivery? in
            guard
                let fraction = fields.state.report(
                    progress.fraction, hasUserInfo: progress.userInfo != nil),
                fields.wantsProgress
            else { return nil }
            published.fraction = fraction
            observers = fields.observers
            replaced = fields.reports.post(published)
            return fields.firstDelivery()
        }
        // The contents of reports that no listener will get are released after the lock.
        extendLifetime(replaced)
        deliver(delivery)
        JobWorklist.drive(worklist) { [published] in
            $0.push(observers, .progress(published))
        }
    }

    /// Ends the job with a result, if nothing has ended it before.
    ///
    /// - Parameter worklist: `nil`: the body's own if the body calls this, else a new one.
    @usableFromInline
    func end(_ result: JobEnd, in worklist: JobWorklist? = nil) {
        if let ending = withLock({ $0.accept(result) }) { carryOut(ending, in: worklist) }
    }

    /// Ends the job without a result.
    ///
    /// - Parameters:
    ///   - worklist: See ``end(_:in:)``.
    ///   - asPart: A job that is not executing is left alone, as it is by an abandonment: it has
    ///     ended before.
    @usableFromInline
    func stop(_ stop: JobStop, in worklist: JobWorklist? = nil, asPart: Bool = false) {
        if let ending = withLock({ $0.stop(stop, asPart: asPart) }) {
            carryOut(ending, in: worklist)
        }
    }

    /// Does what an end leads to. If the body calls this, what follows comes after the body has
    /// returned, and needs no stack.
    private func carryOut(_ ending: JobEnding, in worklist: JobWorklist?) {
        deliver(ending.delivery)
        guard let end = ending.end, !ending.observers.isEmpty || !ending.parts.isEmpty
        else { return extendLifetime(ending) }
        JobWorklist.drive(worklist ?? ending.worklist) { worklist in
            worklist.push(ending.observers, .end(end))
            for part in ending.parts {
                worklist.push { part.job?.stop(.cancelled, in: worklist, asPart: true) }
            }
        }
    }
}

/// The rest of a job's end, which comes after the lock.
struct JobEnding {
    /// `nil`: the job has ended before, and only its handlers are called.
    var end: JobEnd?
    var delivery: JobDelivery?
    var observers: [JobFields.Observer] = []
    var parts: [JobPart] = []
    /// The worklist of the body, if the body ends its job.
    var worklist: JobWorklist?
    /// To be released after the lock: the body, and a result that no handler has got.
    var leftovers: (JobBody?, JobEnd?, JobFields.Needs?)
}

extension JobFields {
    /// There is a result. Returns what it leads to, if it counts.
    mutating func accept(_ result: JobEnd) -> JobEnding? {
        guard state.end(to: audience(of: result.kind)) else { return nil }
        isResultDue = true
        return conclude(result)
    }

    /// As ``AnyJob/stop(_:in:asPart:)``.
    mutating func stop(_ stop: JobStop, asPart: Bool) -> JobEnding? {
        if (asPart || stop == .abandoned) && state.phase != .executing { return nil }
        switch state.cancel(handlers: handlerCount) {
        case .ignore: return nil
        case .silence:
            isStopDue = true
            return JobEnding(delivery: firstDelivery())
        case .end:
            isStopDue = true
            return conclude(.stopped(stop))
        }
    }

    private mutating func conclude(_ end: JobEnd) -> JobEnding {
        var ending = JobEnding(
            end: end, observers: observers, parts: parts, leftovers: (body, self.end, needs))
        if let running, running.thread == Trampoline.ofThread { ending.worklist = running.worklist }
        (self.end, observers, parts, body, needs) = (end, [], [], nil, nil)
        ending.delivery = firstDelivery()
        return ending
    }

    /// The handlers and observers that are registered for an end of this kind.
    ///
    /// - Complexity: O(handlers).
    private func audience(of kind: JobEventKinds) -> JobState.Audience {
        var audience = JobState.Audience(observers: !observers.isEmpty)
        for handler in handlers where handler.kinds.contains(kind) {
            // Handlers wait for a delivery that is in progress, to a listener for one.
            if isDelivering || !handler.isImmediate {
                audience.elsewhere = true
            } else {
                audience.immediate = true
            }
        }
        return audience
    }
}
