// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

// How a job runs and ends. Decisions are made under the lock, and carried out after it; what
// concerns other jobs goes into the worklist.
extension AnyJob {
    /// Has the job run next, unless it was executed before.
    func start(in worklist: JobWorklist) {
        if withLock({ $0.state.execute() }) {
            worklist.push { self.run(in: worklist) }
        }
    }

    /// Runs a job that is executing, unless it was cancelled before its start.
    func run(in worklist: JobWorklist) {
        // The job waits for its context no more. The context is released after the lock.
        let (body, _) = withLock { fields in
            defer { (fields.work.body, fields.work.needs) = (nil, nil) }
            if fields.work.body != nil { fields.work.worklist = worklist }
            return (fields.work.body, fields.work.needs)
        }
        guard let body else { return }
        body(self, worklist)
        withLock { $0.work.worklist = nil }
    }

    /// Publishes progress to listeners and observers.
    func report(_ progress: JobProgress, in worklist: JobWorklist? = nil) {
        var published = progress
        // The reports that no listener will get are released after the lock.
        var replaced: [JobProgress] = []
        let observers = deliver { fields -> [JobWork.Observer]? in
            let fraction = fields.state.report(
                progress.fraction, hasUserInfo: progress.userInfo != nil)
            guard let fraction, fields.wantsProgress else { return nil }
            published.fraction = fraction
            replaced = fields.post(published)
            return fields.work.observers
        }
        guard let observers else { return }
        JobWorklist.drive(worklist) { [published] in
            $0.push(observers, .progress(published))
        }
        extendLifetime(replaced)
    }

    /// Ends the job, if it is executing.
    func end(_ end: JobEvent, in worklist: JobWorklist? = nil) {
        let work = deliver { fields -> JobWork? in
            let counts =
                end.kind == .stopped
                ? fields.state.phase == .executing && fields.state.cancel(handlers: 0) == .end
                : fields.state.end(
                    isTaken: !fields.work.observers.isEmpty,
                    isAwaited: fields.handlers.contains { $0.kinds.contains(end.kind) })
            return counts ? fields.conclude(end) : nil
        }
        carryOut(end, work, in: worklist)
    }

    /// Cancels the job, whatever it does.
    func cancel(in worklist: JobWorklist) {
        let work = deliver { fields -> JobWork? in
            switch fields.state.cancel(handlers: fields.handlerCount) {
            case .ignore: return nil
            case .silence:
                fields.dueEnds.insert(.stopped)
                return nil
            case .end: return fields.conclude(.cancelled)
            }
        }
        carryOut(.cancelled, work, in: worklist)
    }

    /// Does what the end of `work` leads to. If the body calls this, that goes into its worklist: what
    /// follows starts after the body has returned.
    private func carryOut(_ end: JobEvent, _ work: JobWork?, in worklist: JobWorklist?) {
        guard let work else { return }
        let own = work.worklist.flatMap { $0.isOfThisThread ? $0 : nil }
        JobWorklist.drive(worklist ?? own) { worklist in
            worklist.push(work.observers, end)
            for part in work.parts {
                worklist.push { part.job?.end(.cancelled, in: worklist) }
            }
        }
    }
}

extension JobFields {
    /// Ends the job. Returns what it held, which is released after the lock.
    fileprivate mutating func conclude(_ end: JobEvent) -> JobWork {
        var ended = work
        ended.replaced = self.end
        work = JobWork()
        self.end = end
        dueEnds = end.kind
        return ended
    }
}
