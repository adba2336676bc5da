// SPDX-License-Identifier: Apache-2.0

/// The life of a job, without the job: inputs return what is to be done, under no lock.
///
///     notExecuted ──► executing ──► settled ──► completed
///          └─────────────┴─────────────┴──────► cancelled
///
/// An abandoned job is a cancelled one.
///
/// A job is settled while it has a result that nobody has heard, because all who are to hear it wait
/// for their contexts. Until the first of them starts, a cancel still comes in time.
struct JobState: Equatable {
    enum Phase: Equatable {
        case notExecuted, executing, settled, completed, cancelled
    }

    /// What a cancel does.
    enum Cancellation: Equatable {
        /// Nothing.
        case ignore
        /// The job is cancelled: its parts are, and the cancel handlers are called.
        case end
        /// The job keeps its result, which a composite or a future has. Its handlers hear of the
        /// cancel in place of the result.
        case silence
    }

    /// Who is there to hear a result.
    struct Audience: Equatable {
        /// A composite or a future.
        var links = false
        /// The number of the first handler that runs at once.
        var immediate: Int?
        /// Handlers that run elsewhere.
        var elsewhere = false
    }

    private(set) var phase = Phase.notExecuted
    /// The last progress that was passed on.
    private(set) var fraction: Double?
    /// Composites pass on what goes forward only.
    private let isMonotone: Bool

    /// Whether a handler has begun to hear the result, or is sure to.
    private var isHeard = false
    /// Whether handlers that have not begun wait on their contexts.
    private var isAwaited = false
    /// Handlers with numbers below that have not started never will, but for `exempt`.
    private var silencedBelow = 0
    /// The handler that began to hear the result in the moment in which there was one.
    private var exempt: Int?
    /// Whether a handler hears of the end, after which nobody hears of progress.
    private var isProgressOver = false

    init(isMonotone: Bool = false) {
        self.isMonotone = isMonotone
    }

    /// Somebody wants the job to run. True: run its body, once.
    mutating func execute() -> Bool {
        guard phase == .notExecuted else { return false }
        phase = .executing
        return true
    }

    /// There is a result. True: it counts, and is to be delivered.
    mutating func end(to audience: Audience) -> Bool {
        guard phase == .executing else { return false }
        isHeard = audience.immediate != nil
        exempt = audience.immediate
        isAwaited = audience.elsewhere
        phase = isHeard || audience.links || !isAwaited ? .completed : .settled
        return true
    }

    /// The body has got that far. Returns what to pass on; `nil`: nothing.
    mutating func report(_ reported: Double, hasUserInfo: Bool) -> Double? {
        // A fraction that is no number says nothing.
        guard phase == .executing, !reported.isNaN else { return nil }
        var next = min(max(reported, 0), 1)
        if isMonotone, let fraction, next <= fraction {
            guard hasUserInfo else { return nil }
            next = fraction
        }
        fraction = next
        return next
    }

    /// Somebody wants the job to end. So many handlers were registered.
    mutating func cancel(handlers count: Int) -> Cancellation {
        switch phase {
        case .notExecuted, .executing, .settled:
            phase = .cancelled
            return .end
        case .completed:
            silencedBelow = count
            guard isAwaited, !isHeard else { return .ignore }
            isAwaited = false
            return .silence
        case .cancelled:
            return .ignore
        }
    }

    /// The job is to end without a result. So many handlers were registered.
    mutating func stop(_ stop: JobStop, handlers count: Int) -> Cancellation {
        switch stop {
        case .cancelled: return cancel(handlers: count)
        // Who ends a job has a result of it, or has cancelled it before.
        case .abandoned: return phase == .executing ? cancel(handlers: count) : .ignore
        }
    }

    /// A composite or a future comes to know the result late.
    mutating func tell() {
        if phase == .settled { phase = .completed }
    }

    /// A handler is registered that is to hear the result, late and elsewhere.
    mutating func awaitResult() {
        isAwaited = true
    }

    /// A handler is about to hear the result. False: it must not.
    mutating func startResult(_ handler: Int) -> Bool {
        guard phase == .settled || phase == .completed,
            handler >= silencedBelow || handler == exempt
        else { return false }
        phase = .completed
        isHeard = true
        isProgressOver = true
        return true
    }

    /// A handler that is about to hear of the end waits for those who hear of progress.
    mutating func closeProgress() {
        isProgressOver = true
    }

    /// Whether a handler that is about to hear of progress may.
    func mayHearProgress(_ handler: Int) -> Bool {
        phase != .cancelled && !isProgressOver && handler >= silencedBelow
    }

    /// Whether cancel handlers may still be called.
    var canCancel: Bool {
        switch phase {
        case .notExecuted, .executing, .settled: true
        case .completed: isAwaited && !isHeard
        case .cancelled: false
        }
    }
}
