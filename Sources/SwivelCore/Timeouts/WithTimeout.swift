// SPDX-License-Identifier: Apache-2.0

/// Runs `body`, and cancels it when it takes longer than `limit`.
///
/// Structured: it returns when the body has, so a body that ignores its cancellation takes as long as
/// it takes. The body runs in one child task, on the caller's actor if it was written there; the time
/// is one node of the loop's wheel, which is freed when the body returns. The body may move the limit
/// through ``Timeout/extend(by:)`` and ``Timeout/restart()``.
///
/// A value always counts: if the body returns one although the limit has passed, even in the same
/// turn, it is returned. If the caller is cancelled, so is the body.
///
/// **Thread:** any task. The body's cancellation handlers run on the loop's thread when the limit
/// passes.
/// - Parameters:
///   - limit: From now, on the loop's clock. Zero or less: the body is cancelled as soon as the loop
///     has a turn.
///   - loop: Whose clock counts: the caller's, or ``Loop/shared``. On a manual loop the limit passes
///     in virtual time.
///   - isolation: The caller's actor.
///   - body: Gets the timeout.
/// - Returns: What the body returns.
/// - Throws: ``SwivelError`` with ``SwivelError/Code/timedOut`` if the limit had passed when the body
///   threw, whatever it threw; with ``SwivelError/Code/shutdown`` if the loop was or is shut down, so
///   that the limit can never pass; else what the body throws.
public func withTimeout<R>(
    _ limit: Duration, on loop: Loop = .current ?? .shared,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (_ timeout: Timeout) async throws -> R
) async throws -> R {
    let core = TimeoutCore()
    let timeout = Timeout(limit, core, on: loop)
    guard timeout.start() else { throw SwivelError.shutDown }
    defer { timeout.stop() }
    let result = await withoutActuallyEscaping(body) { body in
        await runInChild(core, ChildBody(run: body), timeout, isolation: isolation)
    }
    switch (result, core.reason) {
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

/// As the form whose body gets the ``Timeout``, for a limit that stays where it is.
public func withTimeout<R>(
    _ limit: Duration, on loop: Loop = .current ?? .shared,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> R
) async throws -> R {
    try await withTimeout(limit, on: loop, isolation: isolation) { _ in try await body() }
}

/// What crosses to the child task, whose caller does nothing but wait for it.
private struct ChildBody<R>: @unchecked Sendable {
    // because the caller waits until the child has ended: they never run at the same time.
    let run: (Timeout) async throws -> R
}

/// What comes back.
private struct ChildResult<R>: @unchecked Sendable {
    // because the child has ended when the caller looks at it.
    let result: Result<R, any Error>
}

private func runInChild<R>(
    _ core: TimeoutCore, _ body: ChildBody<R>, _ timeout: Timeout,
    isolation: isolated (any Actor)?
) async -> Result<R, any Error> {
    await withTaskGroup(of: ChildResult<R>.self) { group in
        group.addTask {
            await withUnsafeCurrentTask { task in
                core.begin(task)
                let result: Result<R, any Error>
                do {
                    result = .success(try await body.run(timeout))
                } catch {
                    result = .failure(error)
                }
                await core.finish()
                return ChildResult(result: result)
            }
        }
        guard let child = await group.next() else {
            trap("a task group lost its only child; this is a fault of the runtime")
        }
        return child.result
    }
}
