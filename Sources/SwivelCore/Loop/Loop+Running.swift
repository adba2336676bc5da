// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

extension Loop {
    /// Whether `runOnce(_:)` waits for work.
    public enum RunMode: Hashable, Sendable {
        /// Run the work that is due now.
        case noWait
        /// Park until something is due, then run it. Timers that other threads arm, move or cancel
        /// during the wait do not end it; a stop and a shutdown do.
        case wait
    }

    /// Returns a new loop without a thread, with this `configuration`. The thread that calls
    /// `run()` or `runOnce(_:)` drives it. It shuts down when it is released.
    ///
    /// - Throws: Like ``init(_:)``.
    /// - Complexity: O(1), a few system calls.
    public static func embedded(
        _ configuration: Configuration = Configuration()
    ) throws(SwivelError) -> Loop {
        try Loop(configuration, SWIVEL_CALLER)
    }

    /// Drives the loop on the calling thread until ``stop()`` or `shutdown(_:)`; after shutdown it
    /// returns at once. Traps on a loop with a thread of its own, while another thread drives the
    /// loop, and in the loop's own closures.
    ///
    /// **Thread:** any, one at a time. Closures run on it.
    /// - Complexity: That of the closures.
    @available(*, noasync, message: "run() blocks its thread until the loop is stopped")
    public func run(file: StaticString = #fileID, line: UInt = #line) {
        refuseToWait(until: .never, "run()", file, line)
        refuseToDrive(swivel_loop_run(record), "run()", file, line)
        hosting?.hasTurned()
    }

    /// Runs one turn; `mode` decides whether it waits for work. Traps like `run()`.
    ///
    /// **Thread:** any, one at a time. Closures run on it.
    /// - Returns: Whether work is left that is due now.
    /// - Complexity: That of the closures; a turn has a budget.
    @available(*, noasync, message: "runOnce(_:) may block its thread")
    @discardableResult
    public func runOnce(_ mode: RunMode, file: StaticString = #fileID, line: UInt = #line) -> Bool {
        if mode == .wait {
            refuseToWait(until: nextDeadline ?? .never, "runOnce(.wait)", file, line)
        }
        var more = false
        refuseToDrive(swivel_loop_run_once(record, mode == .wait, &more), "runOnce(_:)", file, line)
        hosting?.hasTurned()
        return more
    }

    /// Traps where a manual loop would park: virtual time does not move by itself.
    private func refuseToWait(
        until deadline: LoopClock.Instant, _ call: String, _ file: StaticString, _ line: UInt
    ) {
        check(
            manual == nil || deadline <= now || swivel_loop_refusal(record) != SWIVEL_OK,
            """
            \(call) would never return on \(self): a manual loop's time stands still; move it with \
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
            from its own closures or its host's wake(); make such a loop with Loop.embedded(), or use \
            Loop.main
            """, file: file, line: line)
    }

    /// Makes `run()` return after its current turn. A stop before the run counts too. A loop with a
    /// thread of its own runs until `shutdown(_:)`.
    ///
    /// - Complexity: O(1).
    public func stop() { swivel_loop_stop(record) }

    /// A descriptor that is readable whenever `runOnce(_:)` has something to do.
    public var fileDescriptor: Int32 { swivel_loop_fd(record) }

    /// When the loop has something to do next; `nil` if nothing waits.
    ///
    /// **Thread:** the thread that drives the loop.
    public var nextDeadline: LoopClock.Instant? {
        let instant = LoopClock.Instant(nanoseconds: swivel_loop_next_deadline(record))
        return instant == .never ? nil : instant
    }
}
