// SPDX-License-Identifier: Apache-2.0

/// The life of a job as a pure state machine: each input returns what to do, outside the lock. An
/// abandoned job is a cancelled one.
///
///     notExecuted ──► executing ──► resolved ──► completed
///          └─────────────┴─────────────┴──────► cancelled
struct JobState: Equatable {
    enum Phase: Equatable {
        case notExecuted, executing
        /// It has a result that was not taken; handlers have yet to start. A cancel is in time.
        case resolved
        case completed, cancelled
    }

    /// The effect of a cancel.
    enum Cancellation: Equatable {
        case ignore, end
        /// The job keeps its result. The cancel handlers are called instead of the result's.
        case silence
    }

    private(set) var phase = Phase.notExecuted
    /// The last progress that was published.
    private(set) var fraction: Double?
    /// A composite never publishes a smaller fraction than before.
    private let isMonotone: Bool

    /// Whether a handler of the result has started.
    private var isHeard = false
    /// Whether handlers of the result have yet to start.
    private var isAwaited = false
    /// Whether a composite or a future takes the result.
    private var isTaken = false
    /// Handlers with lower numbers that have not started never will.
    private var silencedBelow = 0
    /// Whether a handler of the end has started, after which no progress is delivered.
    private var isProgressOver = false

    init(isMonotone: Bool = false) { self.isMonotone = isMonotone }

    /// The job is executed. True: run its body.
    mutating func execute() -> Bool {
        guard phase == .notExecuted else { return false }
        phase = .executing
        return true
    }

    /// There is a result, for which handlers may wait. True: it counts.
    mutating func end(isAwaited: Bool) -> Bool {
        guard phase == .executing else { return false }
        self.isAwaited = isAwaited
        phase = isTaken || !isAwaited ? .completed : .resolved
        return true
    }

    /// The body has reported progress. Returns what to publish; `nil`: nothing.
    mutating func report(_ reported: Double, hasUserInfo: Bool) -> Double? {
        guard phase == .executing, !reported.isNaN else { return nil }
        var next = min(max(reported, 0), 1)
        if isMonotone, let fraction, next <= fraction {
            guard hasUserInfo else { return nil }
            next = fraction
        }
        fraction = next
        return next
    }

    /// The job is cancelled or abandoned, after `count` handlers were registered.
    mutating func cancel(handlers count: Int) -> Cancellation {
        switch phase {
        case .notExecuted, .executing, .resolved:
            phase = .cancelled
            return .end
        case .completed:
            silencedBelow = count
            guard canCancel else { return .ignore }
            isAwaited = false
            return .silence
        case .cancelled: return .ignore
        }
    }

    /// A composite or a future takes the result, now or when it comes.
    mutating func observe() {
        isTaken = true
        if phase == .resolved { phase = .completed }
    }

    /// A handler of the result is registered late.
    mutating func awaitResult() { isAwaited = true }

    /// A handler of the result is about to start. False: it must not.
    mutating func startResult(_ handler: Int) -> Bool {
        guard handler >= silencedBelow, phase == .resolved || phase == .completed else {
            return false
        }
        phase = .completed
        isHeard = true
        isProgressOver = true
        return true
    }

    /// A handler of the end waits for listeners that are being called.
    mutating func closeProgress() { isProgressOver = true }

    /// Whether a listener may be called with progress.
    func mayHearProgress(_ handler: Int) -> Bool {
        phase != .cancelled && !isProgressOver && handler >= silencedBelow
    }

    /// Whether a cancel handler is kept: a cancel would call it now, or once a result handler has
    /// been registered. If the result was taken it is not kept, as it may hold the job.
    var keepsCancelHandlers: Bool { canCancel || phase == .completed && !isHeard && !isTaken }

    /// Whether cancel handlers would be called now.
    var canCancel: Bool { phase == .completed ? isAwaited && !isHeard : phase != .cancelled }
}
