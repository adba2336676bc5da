// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

extension Loop {
    /// Whether `runOnce(_:)` waits for work.
    public enum RunMode: Hashable, Sendable {
        /// Run what is due now.
        case noWait
        /// Park until something is due, then run it. What other threads merely arm, move or cancel
        /// is taken up on the way; a stop and a shutdown end the wait too.
        case wait
    }

    /// A loop without a thread: whoever calls `run()` or `runOnce(_:)` drives it.
    ///
    /// It shuts down when it is released.
    /// - Throws: As ``init(_:)``.
    public static func embedded(
        _ configuration: Configuration = Configuration()
    ) throws(SwivelError) -> Loop {
        try Loop(configuration, SWIVEL_CALLER)
    }

    /// Drives the loop on the calling thread until ``stop()`` or `shutdown(_:)`.
    ///
    /// Only for loops without a thread of their own, by one thread at a time; anything else traps.
    /// After shutdown it returns at once.
    @available(*, noasync, message: "run() blocks its thread until the loop is stopped")
    public func run(file: StaticString = #fileID, line: UInt = #line) {
        refuseToWait(until: .never, "run()", file, line)
        refuseToDrive(swivel_loop_run(record), "run()", file, line)
    }

    /// Runs one turn.
    ///
    /// **Thread:** as `run()`.
    /// - Returns: Whether work is left that is due now.
    @available(*, noasync, message: "runOnce(_:) may block its thread")
    @discardableResult
    public func runOnce(
        _ mode: RunMode, file: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        if mode == .wait {
            refuseToWait(until: nextDeadline ?? .never, "runOnce(.wait)", file, line)
        }
        var more = false
        refuseToDrive(
            swivel_loop_run_once(record, mode == .wait, &more), "runOnce(_:)", file, line)
        return more
    }

    /// Virtual time does not come by itself: a manual loop that parked would never wake.
    private func refuseToWait(
        until deadline: LoopClock.Instant, _ call: String, _ file: StaticString, _ line: UInt
    ) {
        check(
            manual == nil || deadline <= now || swivel_loop_refusal(record) != SWIVEL_OK,
            """
            \(call) would wait for ever on \(self): a manual loop's time stands still; move it with \
            advance(by:), advanceToNextDeadline() or runUntilIdle()
            """, file: file, line: line)
    }

    private func refuseToDrive(
        _ status: Int32, _ call: String, _ file: StaticString, _ line: UInt
    ) {
        check(
            Int(status) != SWIVEL_EDEADLOCK,
            """
            \(call) drives a loop that has no thread of its own, from one thread at a time and not \
            from its own closures; make such a loop with Loop.embedded(), or use Loop.main
            """, file: file, line: line)
    }

    /// Makes `run()` return after its current turn. A stop before the run counts too. A loop with a
    /// thread of its own goes on: it lives until `shutdown(_:)`.
    ///
    /// **Thread:** any.
    public func stop() {
        swivel_loop_stop(record)
    }

    /// A descriptor that is readable whenever `runOnce(_:)` has something to do.
    public var fileDescriptor: Int32 {
        swivel_loop_fd(record)
    }

    /// When the loop has something to do next; `nil` if nothing waits.
    ///
    /// **Thread:** the one that drives the loop.
    public var nextDeadline: LoopClock.Instant? {
        let instant = LoopClock.Instant(nanoseconds: swivel_loop_next_deadline(record))
        return instant == .never ? nil : instant
    }
}
