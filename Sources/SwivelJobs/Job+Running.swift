// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

// How a job runs and ends. What happens is decided under the lock, and done after it; what concerns
// other jobs is left in the frame.
extension Job {
    /// Runs the job unless somebody has before.
    func start(in frame: JobFrame) {
        if storage.withLock({ $0.state.execute() }) {
            frame.push { self.run(in: frame) }
        }
    }

    /// Runs the body of a job that is executing.
    func run(in frame: JobFrame) {
        let body = storage.withLock { storage in
            defer { storage.body = nil }
            guard storage.state.phase == .executing else { return Body?.none }
            if case .leaf = storage.body { storage.frame = frame }
            return storage.body
        }
        switch body {
        case .leaf(let body):
            give(to: body)
            storage.withLock { $0.frame = nil }
        case .composite(let body): body(self, frame)
        case nil: break
        }
    }

    /// Gives the body its functions. Those that end the job share the duty to do so; none of the others
    /// holds it.
    private func give(
        to body: @Sendable (Job, @escaping Succeed, @escaping Fail, @escaping Report) -> Void
    ) {
        let duty = DropNotice(self) { job in job.inItsFrame { job.stop(.abandoned, in: $0) } }
        body(
            self, { duty.dismiss().end(.success($0)) }, { duty.dismiss().end(.failure($0)) },
            { self.report($0) })
    }

    /// The body has called one of its functions.
    private func end(_ event: Event) {
        inItsFrame { end(event, in: $0) }
    }

    /// Does `step`, which ends the job. In the body itself what follows waits until the body has
    /// returned: it needs no stack.
    private func inItsFrame(_ step: (JobFrame) -> Void) {
        if let frame = storage.withLock({ $0.frame }), frame.isCurrent {
            step(frame)
        } else {
            JobFrame.drive(step)
        }
    }

    private func report(_ progress: JobProgress) {
        let (progress, links) = pass(progress)
        guard let progress, !links.isEmpty else { return }
        JobFrame.drive { frame in
            for link in links.reversed() { frame.push { link(.progress(progress), frame) } }
        }
    }

    /// Ends the job with a value or an error, if nothing has ended it before.
    func end(_ event: Event, in frame: JobFrame) {
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
        frame.push { self.tell(in: frame) }
        for part in parts { frame.push { part.cancel(in: frame) } }
    }

    /// Passes progress on, to those who listen and to the composites.
    func report(_ progress: JobProgress, in frame: JobFrame) {
        let (progress, links) = pass(progress)
        guard let progress else { return }
        for link in links.reversed() { frame.push { link(.progress(progress), frame) } }
    }

    /// Passes progress on to those who listen. Returns what the composites are to hear.
    private func pass(_ progress: JobProgress) -> (JobProgress?, [Link]) {
        // What nobody will hear any more is released after the lock.
        let (delivers, passed, links, _) = storage.withLock { storage in
            guard
                let fraction = storage.state.report(
                    progress.fraction, hasUserInfo: progress.userInfo != nil),
                storage.wantsProgress
            else { return (false, JobProgress?.none, [Link](), JobProgress?.none) }
            let passed = JobProgress(fraction, userInfo: progress.userInfo)
            let unheard = storage.reports.post(passed)
            let delivers = storage.reports.hasDue && storage.startsDelivering()
            return (delivers, passed, storage.links, unheard)
        }
        if delivers { deliver() }
        return (passed, links)
    }

    /// Ends the job without a result. See ``cancel()``.
    ///
    /// - Parameter asPart: A job that is not executing is left alone.
    func stop(_ stop: JobStop, in frame: JobFrame, asPart: Bool = false) {
        // The body, and a result that nobody has heard, are released after the lock.
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
        frame.push { self.tell(in: frame) }
        for part in parts { frame.push { part.cancel(in: frame) } }
    }

    /// Lets the composites that this job is part of, and its future, know how it ended.
    private func tell(in frame: JobFrame) {
        let (end, links) = storage.withLock { storage in
            defer { storage.links = [] }
            return (storage.end, storage.links)
        }
        guard let end else { return }
        for link in links.reversed() { frame.push { link(end, frame) } }
    }

    /// Has `link` hear how the job ends, at once if it has, and its progress if anybody wants that.
    func connect(in frame: JobFrame, _ link: @escaping Link) {
        let end = storage.withLock { storage in
            if storage.end == nil {
                storage.links.append(link)
            } else {
                storage.state.tell()
            }
            return storage.end
        }
        if let end { frame.push { link(end, frame) } }
    }

    /// Executes `part` as part number `index` of this job, unless this job is over.
    func launch<V, F>(
        _ part: Job<V, F>, at index: Int, in frame: JobFrame,
        _ link: @escaping Job<V, F>.Link
    ) {
        let handle = JobPart(part)
        let (isOver, wantsProgress) = storage.withLock { storage in
            if storage.end == nil { storage.parts[index] = handle }
            return (storage.end != nil, storage.wantsProgress)
        }
        if isOver { return }
        if wantsProgress { handle.listen(in: frame) }
        part.start(in: frame)
        part.connect(in: frame, link)
        if storage.withLock({ $0.end != nil }) {
            // This job was ended meanwhile, by another thread, which may have come before the start.
            part.stop(.cancelled, in: frame, asPart: true)
        }
    }

    /// Somebody hears of this job's progress: its parts report theirs from now on.
    func listen(in frame: JobFrame) {
        let parts = storage.withLock { storage in
            defer { storage.wantsProgress = true }
            return storage.wantsProgress ? [] : Array(storage.parts.values)
        }
        for part in parts { frame.push { part.listen(in: frame) } }
    }
}

/// A part of a composite, of whatever type. The composite does not hold it: see ``Job/Storage``.
struct JobPart: Sendable {
    private let cancel: @Sendable (JobFrame) -> Void
    private let listen: @Sendable (JobFrame) -> Void

    init<V, F>(_ job: Job<V, F>) {
        cancel = { [weak job] in job?.stop(.cancelled, in: $0, asPart: true) }
        listen = { [weak job] in job?.listen(in: $0) }
    }

    func cancel(in frame: JobFrame) { cancel(frame) }
    func listen(in frame: JobFrame) { listen(frame) }
}
