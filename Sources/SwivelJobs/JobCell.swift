// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures
internal import Synchronization

/// The memory of a job, without the job's types.
///
/// The lock lies beside the fields that it guards, and not among them: who holds it has exclusive
/// access to the fields, and others try the lock meanwhile.
@usableFromInline
struct JobCell: ~Copyable {
    /// First, where ``AnyJob/withLock(_:)`` looks.
    private var lock = LockWord()
    /// The result, if it fits here, or the address of its memory: see ``AnyJob/payload``. Written
    /// under the lock, and constant while the job is completed.
    private var words: (UInt, UInt, UInt) = (0, 0, 0)
    /// Third: see ``AnyJob/fields``.
    private var fields: JobFields

    /// The thread that is running the body, and its worklist, which only that thread touches.
    /// Relaxed: a thread has to tell only whether it is itself.
    let thread = Atomic<UInt>(0)
    var worklist: JobWorklist?

    /// Where the job was made.
    let file: StaticString
    let line: UInt

    @usableFromInline
    init(isMonotone: Bool, weight: Double, file: StaticString, line: UInt, body: JobBody) {
        fields = JobFields(JobState(isMonotone: isMonotone), body, weight: weight)
        self.file = file
        self.line = line
    }
}

/// The fields of a job that its lock guards.
@usableFromInline
struct JobFields: ~Copyable {
    /// The reaction of a composite or a future to an event of a job. It leaves its next action in
    /// the worklist.
    @usableFromInline typealias Observer =
        @Sendable (_ event: JobEvent, _ job: AnyJob, _ worklist: JobWorklist) -> Void
    /// Returns the needs of a job. It keeps nothing but callbacks.
    typealias Needs = @Sendable () -> [FutureNeed]
    /// Destroys a result.
    @usableFromInline typealias Destroyer = @Sendable (UnsafeMutableRawPointer) -> Void

    /// Destroys the result. `nil`: there is none.
    @usableFromInline var destroy: Destroyer?

    var state: JobState
    var body: JobBody?
    /// How the job ended.
    var end: JobEnd?
    var handlers = JobHandlers()
    /// How many handlers and listeners were ever registered.
    var handlerCount = 0
    var observers: [Observer] = []
    /// The ends that were not announced yet: a result, a cancel, or first the one and then the
    /// other.
    var isResultDue = false
    var isStopDue = false
    /// Whether a thread delivers.
    var isDelivering = false
    /// Whether an end was announced to the handlers.
    var isAnnounced = false
    /// Whether anybody listens to progress. Parts report it only then.
    var wantsProgress = false
    /// Whether the job is part of a composite, which decides whether to execute it.
    var isAdopted = false
    /// The listeners, and what they have yet to get. Made for the first one.
    var reports: JobReports?
    /// Parts that were executed.
    var parts: [JobPart] = []
    var weight: Double
    /// A `Future` of the job's types.
    var future: AnyObject?
    /// The needs of a job that is executing, if it knows them.
    var needs: Needs?

    init(_ state: JobState, _ body: JobBody, weight: Double) {
        self.state = state
        self.body = body
        self.weight = weight
    }
}
