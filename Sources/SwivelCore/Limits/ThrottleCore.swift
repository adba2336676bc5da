// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// The part of a ``Throttle`` that outlives it while a run is pending.
final class ThrottleCore: @unchecked Sendable {
    // because `state` is locked, and `node` is set before another thread has the object.

    /// Instants are in nanoseconds on the loop's clock.
    private struct State {
        var timer = SurvivingTimer()
        /// The next run starts no earlier.
        var free: UInt64 = 0
        var isPending = false
        /// When the pending run starts.
        var due: UInt64 = 0
    }

    private let interval: UInt64
    private let edges: Throttle.Edges
    private let work: @Sendable () -> Void
    private let state = Lock(State())
    private var node: TimerNode?

    init(
        on loop: Loop, every interval: UInt64, _ edges: Throttle.Edges,
        _ work: @escaping @Sendable () -> Void
    ) {
        self.interval = interval
        self.edges = edges
        self.work = work
        // The closure is released by the loop's end, or with the timer.
        let notice = DropNotice(self) { $0.end() }
        let node = TimerNode(on: loop, label: "Throttle", flags: TimerNode.uncounted) { tick in
            notice.payload.fire(tick)
        }
        self.node = node
        state.withLock { $0.timer.begin(node) }
    }

    var isPending: Bool { state.withLock { $0.isPending } }

    /// Notes a call. False: the loop refuses.
    func call() -> Bool {
        guard let node else { return false }
        return state.withLock { state in
            let now = node.now
            guard !state.isPending, edges != .leading || now >= state.free else {
                return !node.isOver
            }
            let later = edges == .trailing ? swivel__saturating_add(now, interval) : now
            state.due = now >= state.free ? later : state.free
            state.isPending = state.timer.arm(at: state.due)
            return state.isPending
        }
    }

    /// The timer's instant has come.
    private func fire(_ tick: Tick) {
        guard let node else { return }
        let runs = state.withLock { state in
            guard state.isPending else { return false }
            if state.due > node.turnTime {
                _ = state.timer.arm(at: state.due)
                return false
            }
            state.isPending = false
            // From the start of this run on, which may be late.
            state.free = swivel__saturating_add(node.now, interval)
            return true
        }
        if runs {
            LoopTimer.countRun(tick)
            work()
            settle { _ in }
        }
    }

    /// Drops the pending run. Returns whether there was one.
    func cancel() -> Bool {
        state.withLock { state in
            state.timer.disarm()
            defer { state.isPending = false }
            return state.isPending
        }
    }

    /// The object is gone: a pending run still happens, and frees the timer.
    func abandon() {
        settle(isReleased: true) { _ in }
    }

    /// The loop has ended, and the pending run with it.
    private func end() {
        settle { state in
            state.timer.end()
            state.isPending = false
        }
    }

    private func settle(isReleased: Bool = false, _ body: (inout State) -> Void) {
        let idle = state.withLock { state in
            body(&state)
            let isPending = state.isPending
            return state.timer.settle(isReleased: isReleased, isPending: isPending)
        }
        idle?.free()
    }
}
