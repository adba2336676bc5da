// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Loop {
    /// Runs `body` in a task of its own, and moves a manual loop's time from deadline to deadline
    /// until it has ended.
    ///
    ///     let page = try await loop.advanceUntilDone {
    ///         try await retry(attempts: 5, on: loop) { try await fetch() }
    ///     }
    ///     #expect(loop.elapsedTime < .seconds(10))
    ///
    /// Cancelling the caller cancels the body. The call always returns: it cancels a body that does
    /// not end, and throws the reason.
    ///
    /// **Thread:** any task that does not itself run on the loop, one at a time. The form of
    /// `advance(to:)` for tasks describes what is deterministic. `patience` is the real time for
    /// which the body may run while nothing waits on the loop.
    /// - Returns: The body's result.
    /// - Throws: The body's error; ``NeverIdle`` after `limit` deadlines; `SwivelError` with
    ///   `SwivelError.Code.wouldDeadlock` if the body waits for something that time does not
    ///   bring.
    /// - Complexity: That of the turns.
    @preconcurrency
    public func advanceUntilDone<R: Sendable>(
        limit: Int = 100_000, patience: Duration = .seconds(10),
        _ body: @escaping @Sendable () async throws -> R, file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> R {
        let caller = Caller("advanceUntilDone(_:)", file, line)
        virtualTime(caller)
        _ = trackedWork(caller)
        let end = Latch()
        let task = Task {
            defer { end.signal() }
            return try await body()
        }
        return try await withTaskCancellationHandler {
            do {
                try await advance(until: end, limit: limit, patience: patience, caller)
            } catch {
                task.cancel()
                throw error
            }
            return try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func advance(
        until end: Latch, limit: Int, patience: Duration, _ caller: Caller
    ) async throws {
        var instants = 0
        await letMainActorRun(caller)
        var isLate = ContinuousClock.now + patience
        while !end.isOpen {
            await finishInstant(caller, untilCancelled: false)
            if end.isOpen { return }
            if nextDeadline != nil {
                instants += 1
                if instants > limit { throw NeverIdle(self, after: limit) }
                refuseToBeStuck(moveToNextInstant(), caller)
                isLate = ContinuousClock.now + patience
            } else if ContinuousClock.now > isLate {
                throw SwivelError(
                    .wouldDeadlock,
                    """
                    the task is not done at \(elapsedTime), and nothing waits on \(self): it waits for \
                    something that no time brings, or on another clock
                    """)
            } else {
                await Pause().wait(atMost: .milliseconds(1))
            }
        }
    }
}
