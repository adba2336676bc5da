// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// How the C core calls and releases Swift closures.
enum LoopHooks {
    /// For loops that somebody drives.
    static let driven = hooks { _ in }

    /// For loops with a thread of their own, which keeps its ``Loop`` alive until it has closed.
    static let threaded = hooks { owner in
        if let owner {
            Unmanaged<Loop>.fromOpaque(owner).release()
        }
    }

    private static func hooks(
        closed: @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) -> swivel_hooks {
        swivel_hooks(
            run: { work in
                Work.take(work).run()
            },
            tick: { work, tick in
                UnsafeRawPointer(work).assumingMemoryBound(to: RepeatingWork.self).pointee
                    .run(Tick(tick.pointee))
            },
            release: { work in Work.release(work) },
            hand_over: { context, timer, tick in
                let context = context.assumingMemoryBound(to: (any ExecutionContext).self).pointee
                HandedTimer.hand(timer, tick?.pointee, to: context)
            },
            release_context: { context in
                context.assumingMemoryBound(to: (any ExecutionContext).self).deinitialize(count: 1)
            },
            ended: { timer in EndWatch.shared.ended(TimerHandle(timer)) },
            closed: closed)
    }
}

extension Tick {
    /// The tick as the core tells it, at the instant when its closure starts.
    init(_ tick: swivel_tick) {
        self.init(
            index: Int(tick.index), scheduled: LoopClock.Instant(nanoseconds: tick.scheduled_ns),
            lateness: .nanoseconds(
                tick.now_ns > tick.scheduled_ns ? tick.now_ns - tick.scheduled_ns : 0),
            missed: Int(tick.missed), handle: TimerHandle(tick.timer))
    }
}
