// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

// The observers of a job: composites, a future, and listeners.
extension AnyJob {
    /// Has `observer` get the job's end, at once if there is one, and its progress if the job has a
    /// listener.
    ///
    /// - Parameter worklist: `nil`: a new one.
    /// - Returns: Whether the job waits for parts.
    @usableFromInline
    @discardableResult
    func observe(
        in worklist: JobWorklist? = nil,
        _ observer: @escaping @Sendable (JobEvent, JobWorklist) -> Void
    ) -> Bool {
        let (end, hasParts) = withLock { fields in
            if fields.end == nil {
                fields.observers.append(observer)
            } else {
                fields.state.observe()
            }
            return (fields.end, !fields.parts.isEmpty)
        }
        guard let end else { return hasParts }
        JobWorklist.drive(worklist) { $0.push([observer], .end(end)) }
        return false
    }

    /// The job's future, which `make` makes for the first caller.
    @usableFromInline
    func makeFuture(_ make: () -> AnyObject) -> (future: AnyObject, isNew: Bool) {
        if let future = withLock({ $0.future }) { return (future, false) }
        let new = make()
        return withLock { fields in
            let future = fields.future ?? new
            fields.future = future
            return (future, future === new)
        }
    }

    /// The end of the job, if it is over. A result that is returned stays.
    @usableFromInline
    func observedEnd() -> JobEnd? {
        withLock { fields in
            if fields.end != nil { fields.state.observe() }
            return fields.end
        }
    }

    /// Notes that the job is part of another one.
    @usableFromInline
    func adopt() {
        withLock { $0.isAdopted = true }
    }

    /// Executes `part` as a part of this job, unless this job is over.
    @usableFromInline
    func launch(
        _ part: any AnyJob, in worklist: JobWorklist,
        _ observer: @escaping @Sendable (JobEvent, JobWorklist) -> Void
    ) {
        let (isOver, wantsProgress) = withLock { fields in
            if fields.end == nil { fields.parts.append(JobPart(job: part)) }
            return (fields.end != nil, fields.wantsProgress)
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
            // Another thread has ended this job in between, perhaps before the part's start.
            part.stop(.cancelled, in: worklist, asPart: true)
        }
    }

    /// Stops the program if this job waits for `whole`, which waits for this one. The failure of
    /// another part, which could end one of the two, does not count.
    ///
    /// - Complexity: O(n) in the parts below a job that was executed before it became a part; O(1)
    ///   below any other.
    private func refuseToWait(for whole: any AnyJob) {
        // The jobs are kept until the end: another one could have the address of a released one.
        var (seen, jobs, next) = (Set<ObjectIdentifier>(), [self as any AnyJob], 0)
        while next < jobs.count {
            let job = jobs[next]
            next += 1
            check(
                job !== whole,
                """
                a job that is to continue with itself, or with one that waits for it, would never \
                end: let one of them end with a result of its own
                """)
            if seen.insert(ObjectIdentifier(job)).inserted { jobs += job.pendingParts }
        }
    }

    /// The parts that this job waits for.
    var pendingParts: [any AnyJob] {
        withLock { $0.end == nil ? $0.parts : [] }.compactMap(\.job).filter { job in
            job.withLock { $0.end == nil }
        }
    }

    /// From now on the job has a listener, and its parts report their progress.
    private func listen(in worklist: JobWorklist) {
        let parts = withLock { fields in
            defer { fields.wantsProgress = true }
            return fields.wantsProgress ? [] : fields.parts
        }
        for part in parts {
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
        let number = withLock { fields -> Int? in
            guard fields.end == nil else { return nil }
            listener.number = fields.nextHandlerNumber()
            fields.reports.listeners.append(listener)
            return listener.number
        }
        JobWorklist.drive { listen(in: $0) }
        return number
    }

    /// Removes the listener of that number, if it is still there.
    ///
    /// - Complexity: O(listeners).
    func removeListener(_ number: Int) {
        // Released after the lock.
        _ = withLock { fields in
            fields.reports.listeners.firstIndex { $0.number == number }
                .map { fields.reports.listeners.remove(at: $0) }
        }
    }
}
