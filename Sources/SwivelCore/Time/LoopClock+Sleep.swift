// SPDX-License-Identifier: Apache-2.0

extension LoopClock: Clock {
    /// Suspends the task until `deadline`.
    ///
    /// Never early. A deadline that has passed suspends until the loop's next turn. The sleep is
    /// one node of the loop's wheel. A cancel frees it at once, however much time is left.
    ///
    /// **Thread:** any. The task resumes on its own executor.
    /// - Parameters:
    ///   - deadline: On this clock.
    ///   - tolerance: How much later the sleep may end, to share a wake-up with others; `nil`:
    ///     none.
    /// - Throws: `CancellationError` once the task is cancelled; ``SwivelError`` with
    ///   ``SwivelError/Code/shutdown`` if the clock's loop is shut down, or shuts down during the sleep.
    /// - Complexity: O(1). On the loop no allocation but the runtime's own.
    nonisolated(nonsending) public func sleep(
        until deadline: Instant, tolerance: Duration? = nil
    ) async throws {
        try await Sleep.sleep(
            on: timekeeper, until: .at(deadline.nanoseconds),
            leeway: tolerance?.nanosecondsRoundedUp ?? 0)
    }

    /// Suspends the task for `duration`; see ``sleep(until:tolerance:)``.
    ///
    /// **Thread:** any. The task resumes on its own executor.
    /// - Parameters:
    ///   - duration: Rounded up to nanoseconds. Zero or less: until the loop's next turn.
    ///   - tolerance: How much later the sleep may end; `nil`: no later.
    /// - Throws: Like ``sleep(until:tolerance:)``.
    /// - Complexity: O(1). On the loop no allocation but the runtime's own.
    nonisolated(nonsending) public func sleep(
        for duration: Duration, tolerance: Duration? = nil
    ) async throws {
        try await Sleep.sleep(
            on: timekeeper, until: .after(duration.nanosecondsRoundedUp),
            leeway: tolerance?.nanosecondsRoundedUp ?? 0)
    }

    /// The loop that keeps the time of a sleep.
    private var timekeeper: Loop { loop ?? .current ?? .shared }
}

extension Loop {
    /// This loop's clock: real, or virtual on a manual loop. Its sleeps are nodes of this loop's
    /// wheel.
    ///
    /// **Thread:** any.
    public var clock: LoopClock { LoopClock(self) }
}
