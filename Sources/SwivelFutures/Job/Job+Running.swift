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
            body(
                self, { self.end(.success($0)) }, { self.end(.failure($0)) },
                { self.report($0) })
            storage.withLock { $0.frame = nil }
        case .composite(let body): body(self, frame)
        case nil: break
        }
    }

    /// The body has called one of its closures.
    private func end(_ event: Event) {
        // In the body itself what follows waits until the body has returned: it needs no stack.
        if let frame = storage.withLock({ $0.frame }), frame.isCurrent {
            end(event, in: frame)
        } else {
            JobFrame.drive { end(event, in: $0) }
        }
    }

    private func report(_ progress: JobProgress) {
        JobFrame.drive { report(progress, in: $0) }
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

    /// Passes progress on, to the handlers and to the composite.
    func report(_ progress: JobProgress, in frame: JobFrame) {
        let (delivers, links, event) = storage.withLock { storage in
            guard
                let fraction = storage.state.report(
                    progress.fraction, hasUserInfo: progress.userInfo != nil),
                storage.wantsProgress
            else { return (false, [Link](), Event?.none) }
            let event = Event.progress(JobProgress(fraction, userInfo: progress.userInfo))
            return (storage.post(event), storage.links, event)
        }
        if delivers { deliver() }
        if let event {
            for link in links.reversed() { frame.push { link(event, frame) } }
        }
    }

    /// Cancels the job. See ``cancel()``.
    ///
    /// - Parameter asPart: A job that is not executing is left alone.
    func cancel(in frame: JobFrame, asPart: Bool = false) {
        let (ends, delivers, parts, body) = storage.withLock { storage in
            let none = (false, false, [JobPart](), Body?.none)
            if asPart && storage.state.phase != .executing { return none }
            switch storage.state.cancel(handlers: storage.handlerCount) {
            case .ignore: return none
            case .silence: return (false, storage.post(.cancelled), [], nil)
            case .end:
                defer {
                    storage.end = .cancelled
                    storage.parts = [:]
                    storage.body = nil
                }
                return (
                    true, storage.post(.cancelled), Array(storage.parts.values), storage.body
                )
            }
        }
        if let body { JobFrame.release(body) }
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
            part.cancel(in: frame, asPart: true)
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
        cancel = { [weak job] in job?.cancel(in: $0, asPart: true) }
        listen = { [weak job] in job?.listen(in: $0) }
    }

    func cancel(in frame: JobFrame) { cancel(frame) }
    func listen(in frame: JobFrame) { listen(frame) }
}
