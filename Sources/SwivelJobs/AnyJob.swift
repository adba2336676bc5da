// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

/// A job of whatever type. All that a job does is written once, for `any AnyJob`.
protocol AnyJob: AnyObject, Sendable {
    var fields: Lock<JobFields> { get }
}

extension AnyJob {
    /// Runs `body` on the fields, under the lock. It must not call user code, nor release it, nor
    /// wait.
    @inline(__always)
    func withLock<R>(_ body: (inout JobFields) -> R) -> R { fields.withLock(body) }
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
    /// The ends that were not announced yet: a result, a cancel, or first the one and then the
    /// other.
    var dueEnds: JobEventKinds = []
    var isDelivering = false
    /// The listeners that are being called, and the threads.
    var calls: [(listener: JobHandler, thread: UnsafeMutablePointer<Trampoline>)] = []
    /// The calls of handlers that continue once no listener is being called.
    var held: [@Sendable () -> Void] = []

    /// A job is released. The jobs of a chain, which hold each other, are released one after the
    /// other.
    static func release(_ fields: Lock<JobFields>) {
        // because only this thread touches it: here, and in the callback below.
        nonisolated(unsafe) var work = JobWork()
        let (isForgotten, file, line) = fields.withLock { fields in
            swap(&fields.work, &work)
            let isUnused = fields.state.phase == .notExecuted && !fields.isAdopted
            return (isUnused && fields.handlerCount > 0, fields.file, fields.line)
        }
        if work.body != nil || !work.observers.isEmpty {
            JobWorklist.afterCallbacks { work = JobWork() }
        }
        guard isForgotten else { return }
        Diagnostics.report(
            "a job with handlers was dropped without having been executed; call execute()",
            file: file, line: line)
    }
}

/// The fields that a job has until it ends.
struct JobWork {
    /// Runs a job; a composite leaves its next actions in the worklist.
    typealias Body = @Sendable (_ job: any AnyJob, _ worklist: JobWorklist) -> Void
    /// The reaction of a composite or a future to an event of a job. It leaves its next action in
    /// the worklist.
    typealias Observer = @Sendable (_ event: JobEvent, _ worklist: JobWorklist) -> Void
    /// Returns the needs of a job. It keeps nothing but callbacks.
    typealias Needs = @Sendable () -> [FutureNeed]

    var body: Body?
    var observers: [Observer] = []
    /// Parts that were executed.
    var parts: [JobPart] = []
    /// The needs of a job that is executing, if it knows them.
    var needs: Needs?
    /// The worklist of the thread that runs the body.
    var worklist: JobWorklist?
    /// A result that a cancel has replaced.
    var replaced: JobEvent?
}

/// A part of a composite. The composite does not hold it, because parts hold their composites.
struct JobPart: Sendable {
    weak let job: (any AnyJob)?
}
