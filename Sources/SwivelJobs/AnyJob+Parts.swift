// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

// The observers of a job: composites, which are told in their worklist, a future, and listeners.
extension AnyJob {
    /// Has `observer` get the job's end, at once if there is one, and its progress if anybody wants
    /// it.
    private func observe(in worklist: JobWorklist, _ observer: @escaping JobFields.Observer) {
        let end = withLock { cell in
            if cell.end == nil {
                cell.observers.append(observer)
            } else {
                cell.state.observe()
            }
            return cell.end
        }
        if let end { worklist.push { observer(.end(end), self, worklist) } }
    }

    /// As above, with a worklist of its own.
    @usableFromInline
    func observe(_ observer: @escaping JobFields.Observer) {
        JobWorklist.drive { observe(in: $0, observer) }
    }

    /// The job's future, which `make` makes for the first caller.
    @usableFromInline
    func future(_ make: () -> AnyObject) -> (future: AnyObject, isNew: Bool) {
        if let future = withLock({ $0.future }) { return (future, false) }
        let new = make()
        return withLock { cell in
            let future = cell.future ?? new
            cell.future = future
            return (future, future === new)
        }
    }

    /// How the job ended, if it is over. A result that is returned stays.
    @usableFromInline
    var end: JobEnd? {
        withLock { cell in
            if cell.end != nil { cell.state.observe() }
            return cell.end
        }
    }

    /// Executes `part` as a part of this job, unless this job is over.
    @usableFromInline
    func launch(
        _ part: AnyJob, in worklist: JobWorklist, _ observer: @escaping JobFields.Observer
    ) {
        let (isOver, wantsProgress) = withLock { cell in
            if cell.end == nil { cell.parts.append(JobPart(part)) }
            return (cell.end != nil, cell.wantsProgress)
        }
        if isOver { return }
        if wantsProgress { part.listen(in: worklist) }
        part.start(in: worklist)
        part.observe(in: worklist, observer)
        if withLock({ $0.end != nil }) {
            // Another thread has ended this job meanwhile, perhaps before the part's start.
            part.stop(.cancelled, in: worklist, asPart: true)
        }
    }

    /// From now on somebody listens to this job's progress, and its parts report theirs.
    private func listen(in worklist: JobWorklist) {
        for part in withLock({ $0.listen() }) {
            worklist.push { part.job?.listen(in: worklist) }
        }
    }

    /// Adds a listener, unless the job is over.
    @usableFromInline
    func listen(
        on context: any ExecutionContext, hearsAll: Bool,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) {
        let listener = JobListener(on: context, hearsAll: hearsAll, body)
        withLock { cell in
            guard cell.end == nil else { return }
            let reports = cell.reports ?? JobReports()
            cell.reports = reports
            listener.number = cell.nextHandlerNumber()
            reports.add(listener)
        }
        JobWorklist.drive(listen(in:))
    }

    /// Notes that the job is part of another one.
    @usableFromInline
    func adopt() {
        withLock { $0.isAdopted = true }
    }
}
