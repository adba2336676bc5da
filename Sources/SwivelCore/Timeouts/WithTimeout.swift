// SPDX-License-Identifier: Apache-2.0

/// Runs `body`, and cancels it when it takes longer than `limit` on the clock of `loop`, virtual
/// time included. Zero or less cancels the body in the loop's next turn.
///
/// The call is structured: it returns when the body has returned, however long a body that ignores
/// its cancellation takes. The body runs in one child task, on the caller's actor (`isolation`) if
/// it was written there. The time is one node of the loop's wheel, which is freed when the body
/// returns. The body may move the limit with ``Timeout/extend(by:)`` and ``Timeout/restart()``.
///
/// A value always counts: if the body returns one after the limit has passed, the call returns it.
/// If the caller is cancelled, so is the body.
///
/// **Thread:** any task. The body's cancellation handlers run on the loop's thread when the limit
/// passes.
/// - Returns: The body's result.
/// - Throws: ``SwivelError`` with ``SwivelError/Code/timedOut`` if the limit had passed when the
///   body threw, whatever it threw; with ``SwivelError/Code/shutdown`` if the loop is shut down, so
///   that the limit can never pass; else the body's own error.
/// - Complexity: O(1), a child task and a few allocations.
public func withTimeout<R>(
    _ limit: Duration, on loop: Loop = .current ?? .shared,
    isolation: isolated (any Actor)? = #isolation, _ body: (_ timeout: Timeout) async throws -> R
) async throws -> R {
    let timeout = Timeout(limit, on: loop)
    guard timeout.start() else { throw SwivelError.shutDown }
    defer { timeout.stop() }
    return try await run(body, timeout, limit)
}

nonisolated(nonsending) private func run<R>(
    _ body: (_ timeout: Timeout) async throws -> R, _ timeout: Timeout, _ limit: Duration
) async throws -> R {
    // On no actor: the body itself goes to the one on which it was written.
    let result = await timeout.core.result(on: nil) { try await body(timeout) }
    switch (result, timeout.core.reason) {
    case (.success(let value), _):
        return value
    case (.failure, .some(.shutdown)):
        throw SwivelError.shutDown
    case (.failure, .some(let reason)):
        throw SwivelError(reason, "the time limit of \(limit) has passed")
    case (.failure(let error), nil):
        throw error
    }
}

/// Runs `body`, and cancels it when it takes longer than `limit`: like `withTimeout` with a body
/// that gets the ``Timeout``. `loop` and `isolation` are the same, and so is what it returns and
/// throws.
///
/// **Thread:** any task.
/// - Complexity: O(1), a child task and a few allocations.
public func withTimeout<R>(
    _ limit: Duration, on loop: Loop = .current ?? .shared,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
) async throws -> R {
    try await withTimeout(limit, on: loop, isolation: isolation) { _ in try await body() }
}

// As with `retry`, the compiler has no diagnostic for some wrong labels without these two.

/// Not callable: the compiler names the arguments.
@available(*, unavailable, message: "write 'withTimeout(limit, on: loop)', with a Duration")
public func withTimeout(
    _ wrong: Any..., body: () async throws -> Any
) async throws -> Never {
    fatalError()
}

/// Not callable: the compiler names the arguments.
@available(*, unavailable, message: "write 'withTimeout(limit, on: loop)', with a Duration")
public func withTimeout(
    _ wrong: Any..., body: (Any) async throws -> Any
) async throws -> Never {
    fatalError()
}
