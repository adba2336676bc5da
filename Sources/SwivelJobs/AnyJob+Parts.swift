// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore
internal import SwivelFutures

extension AnyJob {
    /// Calls `observer`, a composite or a future, with the job's end, at once if there is one, and
    /// with its progress if the job has a listener.
    func observe(in worklist: JobWorklist? = nil, _ observer: @escaping JobWork.Observer) {
        let end = withLock { fields in
            if fields.end == nil { fields.work.observers.append(observer) }
            fields.state.observe()
            return fields.end
        }
        guard let end else { return }
        JobWorklist.drive(worklist) { $0.push([observer], end) }
    }

    /// Notes that the job is part of another one.
    func adopt() { withLock { $0.isAdopted = true } }

    /// Executes `part` as a part of this job, unless this job is over. `progress` turns the part's
    /// progress into this job's. `ended` gets the part's result; if it is stopped, so is this job.
    func launch(
        _ part: any AnyJob, in worklist: JobWorklist,
        progress: @escaping @Sendable (JobProgress) -> JobProgress,
        ended: @escaping @Sendable (JobEvent, JobWorklist) -> Void
    ) {
        let (isOver, wantsProgress) = withLock { fields in
            if fields.end == nil { fields.work.parts.append(JobPart(job: part)) }
            return (fields.end != nil, fields.wantsProgress)
        }
        if isOver { return }
        if wantsProgress { part.listen(in: worklist) }
        part.start(in: worklist)
        part.observe(in: worklist) { event, worklist in
            switch event {
            case .progress(let reported): self.report(progress(reported), in: worklist)
            case .success, .failure: ended(event, worklist)
            case .cancelled, .abandoned: self.end(event, in: worklist)
            }
        }
        // Checked after it is made: of several threads that make a ring's links the last sees all.
        part.refuseToWait(for: self)
        if withLock({ $0.end != nil }) {
            // Another thread has ended this job, perhaps before the part's start.
            part.end(.cancelled, in: worklist)
        }
    }

    /// Stops the program if this job waits for `whole`, which waits for this one. The failure of
    /// another part, which could end one of the two, does not count.
    /// - Complexity: O(n) below a job that was executed before it became a part.
    private func refuseToWait(for whole: any AnyJob) {
        // The jobs are kept until the end: another one could have the address of a released one.
        var (seen, next) = ([ObjectIdentifier: any AnyJob](), [self as any AnyJob])
        while let job = next.popLast() {
            check(
                job !== whole,
                """
                a job that is to continue with itself, or with one that waits for it, would never \
                end: let one of them end with a result of its own
                """)
            let parts = job.pendingParts
            if !parts.isEmpty, seen.updateValue(job, forKey: ObjectIdentifier(job)) == nil {
                next += parts
            }
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
        for part in parts { worklist.push { part.job?.listen(in: worklist) } }
    }

    /// Notes the needs of this job, which is executing, for threads that block until it ends. A
    /// cancel may always come, and does not count.
    func noteWait(for needs: @escaping @Sendable () -> [FutureNeed]) {
        withLock { if $0.end == nil { $0.work.needs = needs } }
    }

    /// Notes that this job waits for `context`, if a wait can hold that up. A context of a class of
    /// the user's is not kept: it has the job in its queue, and its release cancels the job. A
    /// dispatch queue lives until it has run its blocks, also without its object.
    func noteWait(for context: any ExecutionContext) {
        var context = context
        while context.mayBeHeldUp, let wrapped = (context as? any ContextWrapper)?.wrapped {
            context = wrapped
        }
        guard context.mayBeHeldUp else { return }
        guard type(of: context) is AnyClass, !(context is DispatchQueue),
            let object = context as? any ExecutionContext & AnyObject
        else { return noteWait { [context] in [.context(context)] } }
        noteWait { [weak object] in object.map { [.context($0)] } ?? [] }
    }

    /// The needs that this job has noted, or those of its last part. While there are several parts,
    /// the failure of any one would end it.
    var needs: [FutureNeed] {
        var job: any AnyJob = self
        while true {
            if let needs = job.withLock(\.work.needs) { return needs() }
            let parts = job.pendingParts
            guard parts.count == 1 else { return [] }
            job = parts[0]
        }
    }
}
