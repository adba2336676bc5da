// SPDX-License-Identifier: Apache-2.0
// Closures on the model's stub, as the production code keeps them.
internal import CSwivel

extension Loop {
    /// As the loop's own hooks, for closures.
    // because it does not change.
    nonisolated(unsafe) static let closures: UnsafePointer<swivel_hooks> = {
        let hooks = UnsafeMutablePointer<swivel_hooks>.allocate(capacity: 1)
        hooks.initialize(
            to: swivel_hooks(
                run: { Work.take($0).run() },
                tick: { work, tick in
                    UnsafeRawPointer(work).assumingMemoryBound(to: RepeatingWork.self).pointee
                        .run(Tick(tick.pointee))
                },
                release: { Work.release($0.pointee) },
                ended: { _ in }, closed: { _ in }))
        return UnsafePointer(hooks)
    }()
}

/// The part of a tick that a timer's closure needs.
package struct Tick: Sendable {
    let handle: TimerHandle
    let scheduled: Instant

    struct Instant {
        let nanoseconds: UInt64
    }

    init(_ tick: swivel_tick) {
        handle = TimerHandle(tick.timer)
        scheduled = Instant(nanoseconds: tick.scheduled_ns)
    }
}

struct TimerHandle: @unchecked Sendable {
    // because it is two numbers and the address of a loop, as the core made them.
    let timer: swivel_timer

    init(_ timer: swivel_timer) { self.timer = timer }
}
