// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import SwivelFutures

/// A job of whatever type. All that a job does is written once, for `any AnyJob`.
@usableFromInline
protocol AnyJob: AnyObject, Sendable {
    var fields: Lock<JobFields> { get }
}

extension AnyJob {
    /// Runs `body` on the fields, under the lock. It must not call user code, nor release it, nor
    /// wait.
    @inline(__always)
    func withLock<R>(_ body: (inout JobFields) -> R) -> R { fields.withLock(body) }
}

/// Runs a job; a composite leaves its next actions in the worklist.
///
/// In a structure: each copy of a function that is an optional's would get a thunk and an allocation.
struct JobBody: Sendable {
    let run: @Sendable (any AnyJob, JobWorklist) -> Void
}

/// The fields of a job, which its lock guards.
@usableFromInline
struct JobFields {
    /// The reaction of a composite or a future to an event of a job. It leaves its next action in
    /// the worklist.
    typealias Observer = @Sendable (_ event: JobEvent, _ worklist: JobWorklist) -> Void
    /// Returns the needs of a job. It keeps nothing but callbacks.
    typealias Needs = @Sendable () -> [FutureNeed]

    /// Where the job was made.
    private let file: StaticString
    private let line: UInt
    var state: JobState
    var body: JobBody?
    /// A part's share in the progress of a composite.
    var weight: Double
    /// How the job ended.
    var end: JobEnd?
    var handlers: [JobHandler] = []
    /// How many handlers and listeners were ever registered.
    var handlerCount = 0
    var observers: [Observer] = []
    /// The listeners, and the reports that they have yet to get.
    var reports = JobReports()
    /// The ends that were not announced yet: a result, a cancel, or first the one and then the
    /// other.
    var isResultDue = false
    var isStopDue = false
    /// Whether a thread delivers.
    var isDelivering = false
    /// Whether an end was announced to the handlers.
    var isAnnounced = false
    /// Whether the job has a listener, or a composite that has one. Parts report only then.
    var wantsProgress = false
    /// Whether the job is part of a composite, which decides whether to execute it.
    var isAdopted = false
    /// Parts that were executed.
    var parts: [JobPart] = []
    /// A `Future` of the job's types.
    var future: AnyObject?
    /// The needs of a job that is executing, if it knows them.
    var needs: Needs?
    /// The thread that runs the body, and its worklist.
    var running: (thread: UnsafeMutablePointer<Trampoline>, worklist: JobWorklist)?

    init(
        isMonotone: Bool, weight: Double, file: StaticString, line: UInt, body: JobBody
    ) {
        state = JobState(isMonotone: isMonotone)
        self.body = body
        self.weight = weight
        self.file = file
        self.line = line
    }

    /// The job is released: takes its contents apart.
    static func end(_ fields: Lock<JobFields>) {
        let (leftovers, isForgotten) = fields.withLock { fields in
            (
                JobLeftovers.taken(from: &fields),
                fields.state.phase == .notExecuted && !fields.isAdopted && fields.handlerCount > 0
            )
        }
        leftovers?.release()
        guard isForgotten else { return }
        let (file, line) = fields.withLock { ($0.file, $0.line) }
        Diagnostics.report(
            "a job with handlers was dropped without having been executed; call execute()",
            file: file, line: line)
    }

    /// The number of a new handler or listener.
    mutating func nextHandlerNumber() -> Int {
        defer { handlerCount += 1 }
        return handlerCount
    }
}

/// A part of a composite. The composite does not hold it, because parts hold their composites.
struct JobPart: Sendable {
    weak let job: (any AnyJob)?
}
