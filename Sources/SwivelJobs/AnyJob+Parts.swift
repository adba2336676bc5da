// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

// The observers of a job: composites and a future.
extension AnyJob {
    /// Has `observer` get the job's end, at once if there is one, and its progress if the job has a
    /// listener.
    ///
    /// - Parameter worklist: `nil`: a new one.
    func observe(in worklist: JobWorklist? = nil, _ observer: @escaping JobWork.Observer) {
        let end = withLock { fields in
            if fields.end == nil {
                fields.work.observers.append(observer)
            } else {
                fields.state.observe()
            }
            return fields.end
        }
        guard let end else { return }
        JobWorklist.drive(worklist) { $0.push([observer], .end(end)) }
    }

    /// Notes that the job is part of another one.
    func adopt() {
        withLock { $0.isAdopted = true }
    }

    /// Executes `part` as a part of this job, unless this job is over.
    func launch(
        _ part: any AnyJob, in worklist: JobWorklist, _ observer: @escaping JobWork.Observer
    ) {
        let (isOver, wantsProgress) = withLock { fields in
            if fields.end == nil { fields.work.parts.append(JobPart(job: part)) }
            return (fields.end != nil, fields.wantsProgress)
        }
        if isOver { return }
        if wantsProgress { part.listen(in: worklist) }
        part.start(in: worklist)
        part.observe(in: worklist, observer)
        // The link is made before it is checked: if several threads make the links of a ring at
        // once, the last one sees all of them.
        part.refuseToWait(for: self)
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
        withLock(\.work.parts).compactMap(\.job).filter { $0.withLock { $0.end == nil } }
    }

    /// From now on the job has a listener, and its parts report their progress.
    func listen(in worklist: JobWorklist) {
        let parts = withLock { fields in
            defer { fields.wantsProgress = true }
            return fields.wantsProgress ? [] : fields.work.parts
        }
        for part in parts {
            worklist.push { part.job?.listen(in: worklist) }
        }
    }
}
