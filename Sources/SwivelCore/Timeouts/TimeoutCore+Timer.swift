// SPDX-License-Identifier: Apache-2.0

// The timer of a time limit. Its closure retains the core; the function that runs the body retains
// the timer, so that its node is free when the body has returned.
extension TimeoutCore {
    /// A timer that is not armed. It stops the body when it fires, or when its loop is shut down.
    func timer(on loop: Loop) -> LoopTimer {
        let notice = DropNotice(self) { $0.end() }
        return LoopTimer(on: loop, deciding: { notice.payload.fire($0) })
    }

    /// Starts to keep the time of `deadline` on `loop`. Returns the timer, which the caller
    /// releases after the body's end; `nil`: the body is cancelled already, or another loop keeps
    /// the time.
    func start(_ deadline: Deadline, on loop: Loop) -> LoopTimer? {
        guard !deadline.hasPassed(on: loop) else {
            stop(.timedOut)
            return nil
        }
        let timer = timer(on: loop)
        // A timer whose loop refuses it is released here, which calls `end`.
        return timer.arm(at: self.deadline, leeway: deadline.tolerance) ? timer : nil
    }

    /// The timer has fired, on the loop's thread.
    func fire(_ tick: Tick) {
        let now = LoopClock.Instant.now
        if let rest = fixed?.rest { adjust(to: now.advanced(by: rest)) }
        guard pass(at: now, { LoopTimer.rearm(tick, at: $0.nanoseconds) }) else { return }
        LoopTimer.countRun(tick)
        cancel()
    }

    /// The loop that keeps the body's time is shut down: once at most for each timer.
    func end() {
        // Real time passes on another loop as well. Virtual time ends with its loop, and a limit
        // that may be moved is its loop's.
        if let fixed, fixed.isReal, changeLoops(),
            arm(substitute: timer(on: .shared), leeway: fixed.tolerance)
        {
            return
        }
        stop(.shutdown)
    }
}
