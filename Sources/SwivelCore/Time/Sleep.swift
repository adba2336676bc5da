// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// A task that waits in a node of a loop's wheel: the node holds its continuation in place of a
/// closure, so a sleep allocates nothing but what the runtime does for a cancellation handler.
///
/// Whoever claims the node resumes the task: the loop when it fires, a cancel, or the loop's end.
enum Sleep {
    /// When a sleep ends.
    enum End {
        /// So many nanoseconds from now.
        case after(UInt64)
        /// At this instant of the loop's clock.
        case at(UInt64)
    }

    /// In place of a timer: the task was cancelled first. No timer's number has all bits set.
    private static let cancelled = UInt64.max

    /// Suspends the task. It resumes once, on its own executor.
    ///
    /// - Throws: `CancellationError`, or ``SwivelError`` where the loop is over.
    nonisolated(nonsending) static func sleep(
        on loop: Loop, until end: End, leeway: UInt64
    ) async throws {
        // Where the sleep and its cancel meet: 0, the timer's number, or `cancelled`. It lies in the
        // task's own frame, which outlives the handler and the arming: the runtime waits for the
        // one, and the task runs the other.
        let meeting = Atomic<UInt64>(0)
        defer { Errands.awake(on: loop) }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (sleeper: TaskWords.Sleeper) in
                if meeting.load(ordering: .relaxed) == cancelled {
                    return sleeper.resume(throwing: CancellationError())
                }
                let timer = arm(on: loop, until: end, leeway: leeway, TaskWords.sleep(sleeper))
                guard timer.loop != nil else {
                    let status = swivel_loop_refusal(loop.record)
                    return sleeper.resume(
                        throwing: status == SWIVEL_OK
                            ? SwivelError(.outOfMemory, "no memory for a sleep")
                            : SwivelError(status: status))
                }
                Errands.fallAsleep(on: loop)
                let number = TimerHandle(timer).id
                if meeting.exchange(number, ordering: .acquiringAndReleasing) == cancelled {
                    cancel(number, on: loop)
                }
            }
        } onCancel: {
            let number = meeting.exchange(cancelled, ordering: .acquiringAndReleasing)
            if number != 0 {
                cancel(number, on: loop)
            }
        }
    }

    @inline(__always)
    private static func arm(
        on loop: Loop, until end: End, leeway: UInt64, _ words: swivel_work
    ) -> swivel_timer {
        let record = loop.record
        let deadline: UInt64
        switch end {
        case .after(let delay):
            guard swivel__is_own(record), delay != 0 else {
                return swivel_schedule(record, delay, leeway, words)
            }
            deadline = swivel__own_deadline(record, delay)
        case .at(let instant):
            // The clock that is never behind tells what has surely not passed.
            guard swivel__is_own(record), instant > swivel__own_deadline(record, 0) else {
                return swivel_schedule_at(record, instant, leeway, words)
            }
            deadline = instant
        }
        var place: UnsafeMutablePointer<swivel_work>?
        let timer = swivel__own_schedule(record, deadline, leeway, &place)
        place?.initialize(to: words)
        return timer
    }

    /// Ends the sleep, if nothing else has. One that is still on its way to the loop ends right here,
    /// and the loop is not woken for either.
    private static func cancel(_ number: UInt64, on loop: Loop) {
        let timer = swivel_timer(
            loop: loop.record, index: UInt32(truncatingIfNeeded: number),
            generation: UInt32(truncatingIfNeeded: number >> 32))
        var work = swivel_work()
        if swivel__cancel(timer, &work) == SWIVEL_CANCELLED {
            cancel(TaskWords(work))
        }
    }

    /// The words of a sleep were taken out of its node before it ended.
    static func cancel(_ task: TaskWords) {
        task.sleeper.resume(throwing: CancellationError())
    }

    /// The loop ends before the sleep.
    static func end(_ task: TaskWords) {
        task.sleeper.resume(
            throwing: SwivelError(.shutdown, "the loop that kept the time of a sleep has shut down")
        )
    }
}
