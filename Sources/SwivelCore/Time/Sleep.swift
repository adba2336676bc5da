// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// A task that waits in a node of a loop's wheel. The node holds its continuation instead of a
/// closure, so a sleep allocates nothing; the runtime does for the cancellation handler. The claim
/// on the node decides who resumes the task: the loop when it fires, a cancel, or the loop's end.
enum Sleep {
    /// The task was cancelled before there was a timer. No timer's number has all bits set.
    private static let cancelled = UInt64.max

    /// Suspends the task. It resumes once, on its own executor. Throws `CancellationError`, or
    /// ``SwivelError`` if the loop is over.
    nonisolated(nonsending) static func sleep(
        on loop: Loop, until end: TimerRequest.Start, tolerance: Duration?
    ) async throws {
        // The sleep and its cancel meet here: 0, the timer's number, or `cancelled`. The word lies
        // in the task's own frame, which outlives the handler, because the runtime waits for it.
        let meeting = Atomic<UInt64>(0)
        defer { Tracking.awake(on: loop) }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (sleeper: TaskWords.Sleeper) in
                if meeting.load(ordering: .relaxed) == cancelled {
                    return sleeper.resume(throwing: CancellationError())
                }
                let leeway = tolerance?.nanosecondsRoundedUp ?? 0
                let timer = loop.start(end, leeway: leeway, TaskWords.sleep(sleeper))
                guard timer.loop != nil else {
                    return sleeper.resume(
                        throwing: loop.refusal
                            ?? SwivelError(.outOfMemory, "no memory for a sleep"))
                }
                Tracking.fallAsleep(on: loop)
                let number = TimerHandle(timer).id
                if meeting.exchange(number, ordering: .acquiringAndReleasing) == cancelled {
                    cancel(number, on: loop)
                }
            }
        } onCancel: {
            let number = meeting.exchange(cancelled, ordering: .acquiringAndReleasing)
            if number != 0 { cancel(number, on: loop) }
        }
    }

    /// Ends the sleep, if nothing else has. A sleep that is still on its way to the loop ends here,
    /// and neither kind wakes the loop.
    private static func cancel(_ number: UInt64, on loop: Loop) {
        let timer = swivel_timer(
            loop: loop.record, index: UInt32(truncatingIfNeeded: number),
            generation: UInt32(truncatingIfNeeded: number >> 32))
        var work = swivel_work()
        if swivel__cancel(timer, &work) == SWIVEL_CANCELLED { cancel(TaskWords(work)) }
    }

    /// Its words were taken out of its node before it ended.
    static func cancel(_ task: TaskWords) { task.sleeper.resume(throwing: CancellationError()) }

    /// The loop ends before the sleep.
    static func end(_ task: TaskWords) { task.sleeper.resume(throwing: SwivelError.shutDown) }
}
