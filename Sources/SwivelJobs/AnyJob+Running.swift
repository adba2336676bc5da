// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// How a job runs and ends. Decisions are made under the lock, and carried out after it; what
// concerns other jobs goes into the worklist.
extension AnyJob {
    private static var thread: UInt { UInt(bitPattern: Trampoline.ofThread) }

    /// Runs the job in this call, unless it was executed before.
    @usableFromInline
    func execute() {
        guard let body = withLock({ $0.state.execute() ? $0.takeBody() : nil }) else { return }
        JobWorklist.drive { run(body, in: $0) }
    }

    /// See ``Job/execute(on:)``.
    func execute(on context: any ExecutionContext) {
        guard withLock({ $0.state.execute() }) else { return }
        noteWait(for: context)
        let notice = DropNotice(self) { $0.cancel() }
        context.execute {
            let job = notice.dismiss()
            JobWorklist.drive { job.run(in: $0) }
        }
    }

    /// Has the job run next, unless it was executed before.
    func start(in worklist: JobWorklist) {
        if withLock({ $0.state.execute() }) {
            worklist.push { run(in: worklist) }
        }
    }

    /// Runs a job that is executing.
    private func run(in worklist: JobWorklist) {
        // It waits for its context no more. The context is released after the lock.
        let (body, needs) = withLock { cell in
            var needs: JobFields.Needs?
            swap(&needs, &cell.needs)
            return (cell.takeBody(), needs)
        }
        extendLifetime(needs)
        if let body { run(body, in: worklist) }
    }

    private func run(_ body: JobBody, in worklist: JobWorklist) {
        cell.pointee.worklist = worklist
        cell.pointee.thread.store(Self.thread, ordering: .relaxed)
        body.step(body.closure, self, worklist)
        cell.pointee.thread.store(0, ordering: .relaxed)
        extendLifetime(object)
    }

    /// Runs `action`, which ends the job. If the body calls this, what follows comes after the body
    /// has returned, and needs no stack.
    func inItsWorklist(_ action: (JobWorklist) -> Void) {
        defer { extendLifetime(object) }
        if cell.pointee.thread.load(ordering: .relaxed) == Self.thread,
            let worklist = cell.pointee.worklist
        {
            action(worklist)
        } else {
            JobWorklist.drive(action)
        }
    }

    /// Publishes progress to listeners and observers.
    ///
    /// - Parameter worklist: `nil`: a new one.
    @usableFromInline
    func report(_ progress: JobProgress, in worklist: JobWorklist? = nil) {
        var published = progress
        var observers: [JobFields.Observer] = []
        var replaced: [any Sendable] = []
        let delivery = withLock { cell -> JobDelivery? in
            guard
                let fraction = cell.state.report(
                    progress.fraction, hasUserInfo: progress.userInfo != nil),
                cell.wantsProgress
            else { return nil }
            published.fraction = fraction
            observers = cell.observers
            if let reports = cell.reports { replaced = reports.post(published) }
            return cell.firstDelivery()
        }
        // The contents of reports that nobody will get any more are released after the lock.
        extendLifetime(replaced)
        deliver(delivery)
        guard !observers.isEmpty else { return }
        if let worklist {
            tell(observers, .progress(published), in: worklist)
        } else {
            JobWorklist.drive { tell(observers, .progress(published), in: $0) }
        }
    }

    /// See ``Job/cancel()``.
    func cancel() {
        JobWorklist.drive { stop(.cancelled, in: $0) }
    }

    /// Ends the job without a result.
    ///
    /// - Parameter asPart: A job that is not executing is left alone, as it is by an abandonment:
    ///   somebody has ended it before.
    @usableFromInline
    func stop(_ stop: JobStop, in worklist: JobWorklist, asPart: Bool = false) {
        var destroy: JobFields.Destroyer?
        var body: JobBody?
        let ending = withLock { cell -> JobEnding? in
            let needsExecution = asPart || stop == .abandoned
            if needsExecution && cell.state.phase != .executing { return nil }
            switch cell.state.cancel(handlers: cell.handlerCount) {
            case .ignore: return nil
            case .silence:
                cell.isStopDue = true
                return JobEnding(delivery: cell.firstDelivery())
            case .end:
                swap(&destroy, &cell.destroy)
                swap(&body, &cell.body)
                return cell.conclude(.stopped(stop))
            }
        }
        // The body, and a result that nobody has got, are released after the lock.
        extendLifetime(body)
        if let ending { carryOut(ending, in: worklist) }
        withExtendedLifetime(object) { destroy?(payload) }
    }

    /// Does what an end leads to.
    ///
    /// - Parameter worklist: `nil`: see ``inItsWorklist(_:)``.
    func carryOut(_ ending: consuming JobEnding, in worklist: JobWorklist?) {
        let (end, observers, parts) = (ending.end, ending.observers, ending.parts)
        deliver(ending.delivery)
        guard let end, !observers.isEmpty || !parts.isEmpty else { return }
        func follow(_ worklist: JobWorklist) {
            tell(observers, .end(end), in: worklist)
            for part in parts {
                worklist.push { part.job?.stop(.cancelled, in: worklist, asPart: true) }
            }
        }
        if let worklist { follow(worklist) } else { inItsWorklist(follow) }
    }

    /// Has `observers` get `event`, in order.
    private func tell(
        _ observers: [JobFields.Observer], _ event: JobEvent, in worklist: JobWorklist
    ) {
        for observer in observers.reversed() { worklist.push { observer(event, self, worklist) } }
    }

    /// The job's object is about to go.
    func leave() {
        let (leftovers, forgotten) = withLock { cell in
            (
                JobLeftovers.taken(&cell.body, &cell.observers),
                cell.state.phase == .notExecuted && !cell.isAdopted && cell.handlerCount > 0
            )
        }
        if forgotten {
            Diagnostics.report(
                "a job with handlers was dropped without having been executed; call execute()",
                file: cell.pointee.file, line: cell.pointee.line)
        }
        fields.pointee.destroy?(payload)
        leftovers?.release()
    }
}

/// The rest of a job's end, which comes after the lock.
struct JobEnding: ~Copyable {
    /// `nil`: the job has ended before, and only its handlers hear of this.
    var end: JobEnd?
    var delivery: JobDelivery?
    var observers: [JobFields.Observer] = []
    var parts: [JobPart] = []
    /// To be released after the lock.
    var needs: JobFields.Needs?
}

extension JobFields {
    /// Takes the body of a job that is executing.
    mutating func takeBody() -> JobBody? {
        defer { body = nil }
        return state.phase == .executing ? body : nil
    }

    /// Whether a result counts, which is written next.
    mutating func accept(_ end: JobEnd) -> Bool {
        guard state.end(to: audience(of: end.kind)) else { return false }
        self.end = end
        return true
    }

    /// The job has ended, with a result that was accepted before, or without one.
    mutating func conclude(_ stopped: JobEnd? = nil) -> JobEnding {
        if stopped == nil { isResultDue = true } else { isStopDue = true }
        end = stopped ?? end
        var ending = JobEnding(end: end)
        swap(&ending.observers, &observers)
        swap(&ending.parts, &parts)
        swap(&ending.needs, &needs)
        ending.delivery = firstDelivery()
        return ending
    }

    /// Somebody listens to progress. Returns the parts that have to be told.
    mutating func listen() -> [JobPart] {
        defer { wantsProgress = true }
        return wantsProgress ? [] : parts
    }
}
