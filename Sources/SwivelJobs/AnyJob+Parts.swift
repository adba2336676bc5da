// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

// The observers of a job: composites, which are told in their worklist, a future, and listeners.
extension AnyJob {
    /// Has `observer` get the job's end, at once if there is one, and its progress if anybody wants
    /// it.
    ///
    /// - Returns: Whether the job waits for parts.
    @discardableResult
    private func observe(
        in worklist: JobWorklist, _ observer: @escaping JobFields.Observer
    ) -> Bool {
        let (end, hasParts) = withLock { cell in
            if cell.end == nil {
                cell.observers.append(observer)
            } else {
                cell.state.observe()
            }
            return (cell.end, !cell.parts.isEmpty)
        }
        guard let end else { return hasParts }
        worklist.push { observer(.end(end), self, worklist) }
        return false
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
        if part.observe(in: worklist, observer) {
            // The link is made before it is checked: if several threads make the links of a ring at
            // once, the last one sees all of them.
            part.refuseToWait(for: self)
        }
        if withLock({ $0.end != nil }) {
            // Another thread has ended this job meanwhile, perhaps before the part's start.
            part.stop(.cancelled, in: worklist, asPart: true)
        }
    }

    /// Stops the program if this job waits for `whole`, which waits for this one. The failure of
    /// another part, which could end one of the two, does not count.
    ///
    /// - Complexity: O(n) in the parts below a job that was executed before it became a part; O(1)
    ///   below any other.
    private func refuseToWait(for whole: AnyJob) {
        var seen: Set<ObjectIdentifier> = []
        // Kept until the end: another job could have the place of a released one.
        var jobs = [self]
        var next = 0
        while next < jobs.count {
            let job = jobs[next]
            next += 1
            check(
                job.object !== whole.object,
                """
                a job that is to continue with itself, or with one that waits for it, would never \
                end: let one of them end with a result of its own
                """)
            if seen.insert(ObjectIdentifier(job.object)).inserted { jobs += job.pendingParts }
        }
    }

    /// The parts that this job waits for.
    var pendingParts: [AnyJob] {
        withLock { $0.end == nil ? $0.parts : [] }.compactMap(\.job).filter { job in
            job.withLock { $0.end == nil }
        }
    }

    /// From now on somebody listens to this job's progress, and its parts report theirs.
    private func listen(in worklist: JobWorklist) {
        for part in withLock({ $0.listen() }) {
            worklist.push { part.job?.listen(in: worklist) }
        }
    }

    /// Adds a listener, unless the job is over. Returns its number if it was added.
    @usableFromInline
    @discardableResult
    func listen(
        on context: any ExecutionContext, hearsAll: Bool,
        _ body: @escaping @Sendable (JobProgress) -> Void
    ) -> Int? {
        let listener = JobListener(on: context, hearsAll: hearsAll, body)
        let number = withLock { cell -> Int? in
            guard cell.end == nil else { return nil }
            let reports = cell.reports ?? JobReports()
            cell.reports = reports
            listener.number = cell.nextHandlerNumber()
            reports.add(listener)
            return listener.number
        }
        JobWorklist.drive(listen(in:))
        return number
    }

    /// Removes the listener of that number, if it is still there.
    func removeListener(_ number: Int) {
        // Released after the lock.
        _ = withLock { $0.reports?.remove(number) }
    }

    /// Notes that the job is part of another one.
    @usableFromInline
    func adopt() {
        withLock { $0.isAdopted = true }
    }
}
