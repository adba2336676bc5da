// SPDX-License-Identifier: Apache-2.0

/// Runs `body`, and cancels it at `expiration` on `clock`, up to `tolerance` later.
///
/// The call is structured: it returns when the body has returned, however long a body that ignores
/// its cancellation takes, and it returns or throws what the body returns or throws. A deadline
/// that has passed cancels the body before it starts; the body still runs. If the caller is
/// cancelled, so is the body.
///
/// The body runs in a child task, on the caller's actor. The time is one node of a loop's wheel,
/// which is freed when the body returns:
///
/// - `ContinuousClock` and `SuspendingClock`: the current loop's, or ``Loop/shared``'s. On a manual
///   loop `expiration` becomes an instant of virtual time, as far from now. While the machine
///   sleeps a loop's clock stands still, also for a deadline of `ContinuousClock`.
/// - ``LoopClock``: that of the clock's own loop, manual ones included.
/// - Any other clock keeps its own time, in a second child task that sleeps on it. If the sleep
///   throws, the body is cancelled.
///
/// Nested deadlines compose: the first to pass cancels, whatever their clocks. A deadline that is
/// not earlier than one around it on the same clock needs neither a timer nor a child task: the
/// body runs in the caller's task. That holds for the task that runs the outer body; a deadline in
/// a task that the body starts has a timer of its own. A limit of `withTimeout` never replaces a
/// deadline, because it may be moved.
///
/// If a real loop is shut down, ``Loop/shared`` keeps the rest of the time. Virtual time ends with
/// its loop: the shutdown of a manual loop cancels the body. So does a process without a loop that
/// could keep the time, as after a `fork`.
///
/// ```swift
/// let deadline = ContinuousClock.now + .seconds(2)
/// let user = try await withDeadline(deadline) { try await fetchUser() }
/// let posts = try await withDeadline(deadline) {
///     try await fetchPosts(of: user)
/// }
/// ```
///
/// **Thread:** any task. The body's cancellation handlers run on the loop's thread when the
/// deadline passes.
/// - Parameters:
///   - expiration: The instant at which the body is cancelled, never earlier.
///   - tolerance: How much later the body may be cancelled, to share a wake-up with other timers;
///     `nil` or less than zero: no later.
///   - clock: The clock of `expiration`.
///   - body: The operation.
/// - Returns: The body's result.
/// - Throws: The body's error.
/// - Complexity: O(1), and the number of deadlines around it; a child task and a few allocations.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, Failure: Error, C: Clock>(
    _ expiration: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C = ContinuousClock(),
    body: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return {
    try await run(until: expiration, in: nil, tolerance, clock, body)
}

/// Runs `body`, and cancels it when it takes longer than `timeout` on `clock`, up to `tolerance`
/// longer: like `withDeadline` with the instant that far from now. `tolerance`, `clock` and `body`
/// are the same, and so is what it returns and throws.
///
/// **Thread:** any task.
/// - Complexity: That of `withDeadline` with an instant.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, Failure: Error, C: Clock>(
    in timeout: C.Instant.Duration, tolerance: C.Instant.Duration? = nil,
    clock: C = ContinuousClock(),
    body: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return {
    let timeout = clamped(timeout)
    let expiration = clock.now.advanced(by: timeout)
    return try await run(until: expiration, in: timeout, tolerance, clock, body)
}

/// The sum of a `Duration` and an instant of the usual clocks does not saturate.
private func clamped<D: DurationProtocol>(_ timeout: D) -> D {
    guard D.self == Duration.self else { return timeout }
    let most = Duration.seconds(Int64.max)
    let clamped = min(max(unsafeBitCast(timeout, to: Duration.self), .zero - most), most)
    return unsafeBitCast(clamped, to: D.self)
}

nonisolated(nonsending) private func run<Return: ~Copyable, Failure: Error, C: Clock>(
    until expiration: C.Instant, in timeout: C.Instant.Duration?,
    _ tolerance: C.Instant.Duration?, _ clock: C,
    _ body: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return {
    // In a task that is cancelled already no deadline changes anything.
    if Task.isCancelled { return try await body() }
    let outer = TimeoutCore.ofTask
    guard
        let (deadline, loop) = Deadline.kept(
            expiration, in: timeout, tolerance: tolerance, by: clock)
    else { return try await run(until: expiration, tolerance, clock, within: outer, body) }
    if let outer, outer.covers(deadline) { return try await body() }
    let core = TimeoutCore(until: deadline.instant(on: loop), fixed: deadline, within: outer)
    let timer = core.start(deadline, on: loop)
    // Until the body has returned: the loop does not retain a timer.
    defer { withExtendedLifetime(timer) {} }
    return try await core.result(on: #isolation, of: body).get()
}

/// Runs `body` next to a task that sleeps on a clock whose time no loop keeps.
nonisolated(nonsending) private func run<Return: ~Copyable, Failure: Error, C: Clock>(
    until expiration: C.Instant, _ tolerance: C.Instant.Duration?, _ clock: C,
    within outer: TimeoutCore?, _ body: nonisolated(nonsending) () async throws(Failure) -> Return
) async throws(Failure) -> Return {
    let core = TimeoutCore(until: .never, within: outer)
    guard clock.now < expiration else {
        core.stop(.timedOut)
        return try await core.result(on: #isolation, of: body).get()
    }
    let alarm: @Sendable () async -> Void = {
        try? await clock.sleep(until: expiration, tolerance: tolerance)
        if !Task.isCancelled { core.stop(.timedOut) }
    }
    return try await core.result(on: #isolation, besides: alarm, of: body).get()
}
