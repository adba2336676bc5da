// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

/// A job of whatever type. All that a job does is written once, for `any AnyJob`.
protocol AnyJob: AnyObject, Sendable {
    var fields: LockedMemory<JobFields> { get }
}

/// The fields of a job, which its lock guards.
struct JobFields {
    /// Where the job was made.
    let file: StaticString, line: UInt
    var state: JobState
    var work: JobWork
    var weight: Double
    var end: JobEvent?
    /// A `Future` of the job's types.
    var future: AnyObject?
    /// Whether the job has a listener, or a composite that has one. Parts report only then.
    var wantsProgress = false
    /// Whether the job is part of a composite, which decides whether to execute it.
    var isAdopted = false

    var handlers: [JobHandler] = []
    /// How many handlers were ever registered.
    var handlerCount = 0
    /// The listeners that the delivering thread is to call, or to have called on their contexts.
    var dueListeners = JobQueue<JobHandler>()
    /// The ends that were not announced yet: a result, a cancel, or first the one, then the other.
    var dueEnds: JobEventKinds = []
    var isDelivering = false
    /// The listeners that are being called, and the threads.
    var calls: [(listener: JobHandler, thread: UnsafeMutablePointer<Trampoline>)] = []
    /// The calls of handlers that continue once no listener is being called.
    var held: [@Sendable () -> Void] = []

    /// Releases the work of a job that is released: the jobs of a chain, which hold each other, one
    /// after the other. Reports a job that was forgotten.
    static func release(_ fields: LockedMemory<JobFields>) {
        var work = JobWork()
        let (isForgotten, file, line) = fields.withLock { fields in
            swap(&fields.work, &work)
            let isUnused = fields.state.phase == .notExecuted && !fields.isAdopted
            return (isUnused && fields.handlerCount > 0, fields.file, fields.line)
        }
        if work.body != nil || !work.observers.isEmpty {
            // because only this thread touches it: here, and in the callback.
            nonisolated(unsafe) var chain = JobWork()
            swap(&work, &chain)
            JobWorklist.afterCallbacks { chain = JobWork() }
        }
        if isForgotten {
            Diagnostics.report(
                "a job with handlers was dropped without having been executed; call execute()",
                file: file, line: line)
        }
    }
}

/// The fields that a job has until it ends.
struct JobWork {
    /// Runs a job; a composite leaves its next actions in the worklist.
    typealias Body = @Sendable (_ job: any AnyJob, _ worklist: JobWorklist) -> Void
    /// Reacts, as a composite or a future, to an event of a job, likewise.
    typealias Observer = @Sendable (_ event: JobEvent, _ worklist: JobWorklist) -> Void

    var body: Body?
    var observers: [Observer] = []
    /// Parts that were executed, which the composite does not hold, because parts hold composites.
    var parts: [JobPart] = []
    /// Returns the noted needs of a job that is executing, and keeps nothing but callbacks.
    var needs: (@Sendable () -> [FutureNeed])?
    /// The worklist of the thread that runs the body.
    var worklist: JobWorklist?
}

struct JobPart: Sendable {
    weak let job: (any AnyJob)?
}

// How a job runs and ends. Decisions are made under the lock, and carried out after it; what
// concerns other jobs goes into the worklist.
extension AnyJob {
    /// Runs `body` on the fields, under the lock: it must not call or release user code, nor wait.
    @inline(__always)
    func withLock<R>(_ body: (inout JobFields) -> R) -> R { fields.withLock(body) }

    /// Has the job run next, unless it was executed before.
    func start(in worklist: JobWorklist) {
        if withLock({ $0.state.execute() }) { worklist.push { self.run(in: worklist) } }
    }

    /// Runs a job that is executing, unless it was cancelled before its start; or, if it `executes`
    /// the job, one that was not executed before.
    func run(in worklist: JobWorklist, executes: Bool = false) {
        // The job waits for its context no more. The context is released after the lock.
        var body: JobWork.Body?
        var needs: (@Sendable () -> [FutureNeed])?
        withLock { fields in
            if executes && !fields.state.execute() { return }
            swap(&fields.work.body, &body)
            swap(&fields.work.needs, &needs)
            if body != nil { fields.work.worklist = worklist }
        }
        guard let body else { return }
        body(self, worklist)
        withLock { $0.work.worklist = nil }
    }

    /// Publishes progress to listeners and observers.
    func report(_ progress: JobProgress, in worklist: JobWorklist? = nil) {
        // The reports that no listener will get are released after the lock.
        var update: (JobProgress, replaced: [JobProgress])?
        var observers: [JobWork.Observer] = []
        deliver { fields in
            update = fields.publish(progress)
            observers = fields.work.observers
        }
        guard let (published, _) = update else { return }
        JobWorklist.drive(worklist) { $0.push(observers, .progress(published)) }
    }

    /// Ends the job, if it is executing.
    func end(_ end: JobEvent, in worklist: JobWorklist? = nil) {
        self.end(end, in: worklist) { fields in
            let isAwaited = fields.handlers.contains { $0.kinds.contains(end.kind) }
            if end.kind != .stopped { return fields.state.end(isAwaited: isAwaited) }
            return fields.state.phase == .executing && fields.state.cancel(handlers: 0) == .end
        }
    }

    /// Cancels the job, whatever it does.
    func cancel(in worklist: JobWorklist) {
        end(.cancelled, in: worklist) { fields in
            let effect = fields.state.cancel(handlers: fields.handlerCount)
            if effect == .silence { fields.dueEnds.insert(.stopped) }
            return effect == .end
        }
    }

    /// Ends the job if `change` returns true. If the body calls this, what follows goes into its
    /// worklist, and starts after the body has returned.
    private func end(
        _ end: JobEvent, in worklist: JobWorklist?, if change: (inout JobFields) -> Bool
    ) {
        // The work, and a result that a cancel replaces, are released after the lock.
        var (work, isOver, replaced) = (JobWork(), false, JobEvent?.some(end))
        deliver { fields in
            isOver = change(&fields)
            guard isOver else { return }
            swap(&fields.work, &work)
            swap(&fields.end, &replaced)
            fields.dueEnds = end.kind
        }
        guard isOver else { return }
        let own = work.worklist.flatMap { $0.thread == Trampoline.ofThread ? $0 : nil }
        JobWorklist.drive(worklist ?? own) { worklist in
            worklist.push(work.observers, end)
            for part in work.parts { worklist.push { part.job?.end(.cancelled, in: worklist) } }
        }
    }
}

/// The actions that one thread has yet to take for the jobs of a tree. Jobs never call each other:
/// each leaves its next action here, so that trees of any depth need no stack. The list lies on the
/// stack of the call from outside, which returns when nothing is left.
struct JobWorklist: @unchecked Sendable {
    // because only the thread that made it touches the actions.
    private let actions: UnsafeMutablePointer<[@Sendable () -> Void]>
    fileprivate let thread = Trampoline.ofThread

    /// Has `action` run next, before those that were left earlier.
    func push(_ action: @escaping @Sendable () -> Void) { actions.pointee.append(action) }

    /// Has `observers` get `event`, in order.
    func push(_ observers: [JobWork.Observer], _ event: JobEvent) {
        for observer in observers.reversed() { push { observer(event, self) } }
    }

    /// Runs `first` with `worklist`; `nil`: with a new one, and all that it leads to.
    static func drive(_ worklist: JobWorklist? = nil, _ first: (JobWorklist) -> Void) {
        if let worklist { return first(worklist) }
        var actions: [@Sendable () -> Void] = []
        withUnsafeMutablePointer(to: &actions) { actions in
            first(JobWorklist(actions: actions))
            while let action = actions.pointee.popLast() { action() }
        }
    }

    /// Runs `action` after the thread's callbacks of futures: neither calls nor releases nest.
    static func afterCallbacks(_ action: @escaping @Sendable () -> Void) {
        Future<Void, Never>(value: ()).onComplete(on: .immediate) { _ in action() }
    }
}
