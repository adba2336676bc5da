// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

// How a job runs and ends. Decisions are made under the lock, and carried out after it; what
// concerns other jobs goes into the worklist.
extension Job {
    /// Runs the job, unless it was executed before.
    func start(in worklist: JobWorklist) {
        if storage.withLock({ $0.state.execute() }) {
            worklist.push { self.run(in: worklist) }
        }
    }

    /// Runs the body of a job that is executing.
    func run(in worklist: JobWorklist) {
        let body = storage.withLock { storage in
            defer { storage.body = nil }
            guard storage.state.phase == .executing else { return Body?.none }
            if case .leaf = storage.body { storage.worklist = worklist }
            return storage.body
        }
        switch body {
        case .leaf(let body):
            give(to: body)
            storage.withLock { $0.worklist = nil }
        case .composite(let body): body(self, worklist)
        case nil: break
        }
    }

    /// Gives the body its functions. Those that end the job share a notice, which abandons the job
    /// when both are released uncalled; the others do not hold it.
    private func give(
        to body: @Sendable (Job, @escaping Succeed, @escaping Fail, @escaping Report) -> Void
    ) {
        let notice = DropNotice(self) { job in job.inItsWorklist { job.stop(.abandoned, in: $0) } }
        body(
            self, { notice.dismiss().end(.result(.success($0))) },
            { notice.dismiss().end(.result(.failure($0))) },
            { self.report($0) })
    }

    /// The body has called one of its functions.
    private func end(_ event: Event) {
        inItsWorklist { end(event, in: $0) }
    }

    /// Runs `action`, which ends the job. If the body calls this, what follows comes after the body
    /// has returned, and needs no stack.
    private func inItsWorklist(_ action: (JobWorklist) -> Void) {
        if let worklist = storage.withLock({ $0.worklist }), worklist.isCurrent {
            action(worklist)
        } else {
            JobWorklist.drive(action)
        }
    }

    private func report(_ progress: JobProgress) {
        let (progress, observers) = publish(progress)
        guard let progress, !observers.isEmpty else { return }
        JobWorklist.drive { tell(observers, .progress(progress), in: $0) }
    }

    /// Ends the job with a value or an error, if nothing has ended it before.
    func end(_ event: Event, in worklist: JobWorklist) {
        let (counts, delivers, parts) = storage.withLock { storage in
            guard storage.state.end(to: storage.audience(of: event.kind)) else {
                return (false, false, [JobPart]())
            }
            storage.end = event
            defer { storage.parts = [:] }
            return (true, storage.post(event), Array(storage.parts.values))
        }
        guard counts else { return }
        if delivers { deliver() }
        worklist.push { self.tellObservers(in: worklist) }
        for part in parts { worklist.push { part.cancel(in: worklist) } }
    }

    /// Publishes progress to listeners and observers.
    func report(_ progress: JobProgress, in worklist: JobWorklist) {
        let (progress, observers) = publish(progress)
        guard let progress else { return }
        tell(observers, .progress(progress), in: worklist)
    }

    /// Has `observers` get `event`, in order.
    private func tell(_ observers: [Observer], _ event: Event, in worklist: JobWorklist) {
        for observer in observers.reversed() { worklist.push { observer(event, worklist) } }
    }

    /// Publishes progress to listeners. Returns what the observers are to get.
    private func publish(_ progress: JobProgress) -> (JobProgress?, [Observer]) {
        // Progress that nobody will get any more is released after the lock.
        let (delivers, published, observers, _) = storage.withLock { storage in
            guard
                let fraction = storage.state.report(
                    progress.fraction, hasUserInfo: progress.userInfo != nil),
                storage.wantsProgress
            else { return (false, JobProgress?.none, [Observer](), JobProgress?.none) }
            let published = JobProgress(fraction, userInfo: progress.userInfo)
            let unheard = storage.reports.post(published)
            let delivers = storage.reports.hasDue && storage.startsDelivering()
            return (delivers, published, storage.observers, unheard)
        }
        if delivers { deliver() }
        return (published, observers)
    }

    /// Ends the job without a result. See ``cancel()``.
    ///
    /// - Parameter asPart: A job that is not executing is left alone.
    func stop(_ stop: JobStop, in worklist: JobWorklist, asPart: Bool = false) {
        // The body, and a result that nobody has got, are released after the lock.
        let (ends, delivers, parts, _, _) = storage.withLock { storage in
            let none = (false, false, [JobPart](), Body?.none, Event?.none)
            if asPart && storage.state.phase != .executing { return none }
            switch storage.state.stop(stop, handlers: storage.handlerCount) {
            case .ignore: return none
            case .silence: return (false, storage.post(.stopped(stop)), [], nil, nil)
            case .end:
                defer {
                    storage.end = .stopped(stop)
                    storage.parts = [:]
                    storage.body = nil
                }
                return (
                    true, storage.post(.stopped(stop)), Array(storage.parts.values), storage.body,
                    storage.end
                )
            }
        }
        if delivers { deliver() }
        guard ends else { return }
        worklist.push { self.tellObservers(in: worklist) }
        for part in parts { worklist.push { part.cancel(in: worklist) } }
    }

    /// Tells the composites that this job is part of, and its future, how it ended.
    private func tellObservers(in worklist: JobWorklist) {
        let (end, observers) = storage.withLock { storage in
            defer { storage.observers = [] }
            return (storage.end, storage.observers)
        }
        guard let end else { return }
        tell(observers, end, in: worklist)
    }

    /// Has `observer` get the job's end, at once if there is one, and its progress if anybody wants
    /// it.
    func observe(in worklist: JobWorklist, _ observer: @escaping Observer) {
        let end = storage.withLock { storage in
            if storage.end == nil {
                storage.observers.append(observer)
            } else {
                storage.state.observe()
            }
            return storage.end
        }
        if let end { worklist.push { observer(end, worklist) } }
    }

    /// Executes `part` as part number `index` of this job, unless this job is over.
    func launch<V, F>(
        _ part: Job<V, F>, at index: Int, in worklist: JobWorklist,
        _ observer: @escaping Job<V, F>.Observer
    ) {
        let handle = JobPart(part)
        let (isOver, wantsProgress) = storage.withLock { storage in
            if storage.end == nil { storage.parts[index] = handle }
            return (storage.end != nil, storage.wantsProgress)
        }
        if isOver { return }
        if wantsProgress { handle.listen(in: worklist) }
        part.start(in: worklist)
        part.observe(in: worklist, observer)
        if storage.withLock({ $0.end != nil }) {
            // Another thread has ended this job meanwhile, perhaps before the part's start.
            part.stop(.cancelled, in: worklist, asPart: true)
        }
    }

    /// From now on somebody listens to this job's progress, and its parts report theirs.
    func listen(in worklist: JobWorklist) {
        let parts = storage.withLock { storage in
            defer { storage.wantsProgress = true }
            return storage.wantsProgress ? [] : Array(storage.parts.values)
        }
        for part in parts { worklist.push { part.listen(in: worklist) } }
    }
}

/// A part of a composite, of whatever type. The composite does not hold it: see ``Job/Storage``.
struct JobPart: Sendable {
    private let cancel: @Sendable (JobWorklist) -> Void
    private let listen: @Sendable (JobWorklist) -> Void

    init<V, F>(_ job: Job<V, F>) {
        cancel = { [weak job] in job?.stop(.cancelled, in: $0, asPart: true) }
        listen = { [weak job] in job?.listen(in: $0) }
    }

    func cancel(in worklist: JobWorklist) { cancel(worklist) }
    func listen(in worklist: JobWorklist) { listen(worklist) }
}
