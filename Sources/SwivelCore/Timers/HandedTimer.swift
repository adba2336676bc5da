// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// A due timer on its way to a context that is not a loop: ``Loop/shared`` keeps the time, the
/// closure runs on its context, and is claimed against a cancel there.
final class HandedTimer: @unchecked Sendable {
    // because only the atomic flag changes.
    private let timer: swivel_timer
    /// `nil` for a one-shot.
    private let tick: swivel_tick?
    private let isBegun = Atomic(false)

    private init(_ timer: swivel_timer, _ tick: swivel_tick?) {
        self.timer = timer
        self.tick = tick
    }

    /// A context that drops its work cancels the timer.
    deinit {
        if !isBegun.load(ordering: .relaxed) {
            Self.drop(timer)
        }
    }

    /// Not inlined: Swift 6.3 omits releases in an optimized `deinit` of a class with an `Atomic`.
    @inline(never)
    private static func drop(_ timer: swivel_timer) {
        var work = swivel_work()
        if swivel_handed_drop(timer, &work) {
            Work.release(work)
        }
    }

    /// Passes a due timer to its context. On the shared loop's thread.
    static func hand(_ timer: swivel_timer, _ tick: swivel_tick?, to context: any ExecutionContext)
    {
        let handed = HandedTimer(timer, tick)
        context.execute { handed.run() }
    }

    private func run() {
        var work = swivel_work()
        guard !isBegun.exchange(true, ordering: .relaxed), let loop = timer.loop,
            swivel_handed_begin(timer, &work)
        else { return }
        Thread.note(work)
        if var tick {
            tick.now_ns = swivel_loop_now(loop)
            withUnsafeMutablePointer(to: &work) { words in
                // Bound anew, as in `Work.take(_:)`; back again for the core.
                let words = UnsafeMutableRawPointer(words)
                words.bindMemory(to: RepeatingWork.self, capacity: 1).pointee.run(Tick(tick))
                words.bindMemory(to: swivel_work.self, capacity: 1)
            }
        } else {
            Work.take(&work).run()
        }
        swivel_handed_end(timer, &work, tick != nil)
    }
}

extension HandedTimer {
    /// Arms a timer on ``Loop/shared`` whose closure runs on `context`.
    static func arm(_ request: TimerRequest, on context: any ExecutionContext) -> TimerHandle {
        let record = Loop.shared.record
        let deadline = request.deadline(now: Loop.shared.now)
        let leeway = request.leeway.nanosecondsRoundedUp
        let work = request.work
        return withUnsafeTemporaryAllocation(of: (any ExecutionContext).self, capacity: 1) { box in
            box.initialize(repeating: context)
            let place = UnsafeMutableRawPointer(box.baseAddress.unsafelyUnwrapped)  // capacity is 1
            let timer: swivel_timer
            if var grid = request.postableGrid(now: Loop.shared.now) {
                timer = swivel_schedule_foreign(record, deadline, leeway, &grid, place, work)
            } else {
                timer = swivel_schedule_foreign(record, deadline, leeway, nil, place, work)
            }
            if timer.loop == nil {
                box.deinitialize()
                Work.release(work)
            }
            return TimerHandle(timer)
        }
    }
}
