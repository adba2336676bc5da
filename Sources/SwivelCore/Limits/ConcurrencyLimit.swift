// SPDX-License-Identifier: Apache-2.0

/// A number of places, each for one body at a time: a semaphore for tasks, which blocks no thread.
///
/// ```swift
/// let downloads = ConcurrencyLimit(4)
/// // In any number of tasks:
/// let page = try await downloads.run { try await fetch(url) }
/// ```
///
/// Tasks that find every place taken wait in order; no call overtakes them. A ``RateLimiter``
/// bounds how many begin in a period instead.
///
/// A body must not wait for a `run` of the same limit: if the body in each place does, none of them
/// ends. A debug build reports a task that waits for a place while it, or the task that started it,
/// holds one.
///
/// **Thread:** any task.
public final class ConcurrencyLimit: Sendable {
    /// A task that waits.
    private final class Waiter: Waits, @unchecked Sendable {
        // because the limit's lock guards what changes.
        var task: UnsafeContinuation<Void, any Error>?
        /// Whether the wait has ended, maybe before it began.
        var isOver = false
        var links = WaitingLinks<Waiter>()
    }

    /// A task waits only while every place is taken.
    private struct State {
        let count: Int
        var running = 0
        var waiters = WaitingLine<Waiter>()

        mutating func takePlace() -> Bool {
            guard running < count else { return false }
            running += 1
            return true
        }

        /// Gives a place to the first task that waits, and returns the task.
        mutating func leavePlace() -> UnsafeContinuation<Void, any Error>? {
            guard let next = waiters.first else {
                running -= 1
                return nil
            }
            return end(next)
        }

        /// Ends a wait. Returns the task to resume.
        mutating func end(_ waiter: Waiter) -> UnsafeContinuation<Void, any Error>? {
            waiters.remove(waiter)
            waiter.isOver = true
            return waiter.task.take()
        }
    }

    private let state: Lock<State>

    /// A limit with `count` places, all of them free. Traps unless `count` is above zero.
    ///
    /// - Complexity: O(1).
    public init(_ count: Int, file: StaticString = #fileID, line: UInt = #line) {
        check(
            count > 0, "a concurrency limit needs at least one place, not \(count)", file: file,
            line: line)
        state = Lock(State(count: count))
    }

    /// Runs `body` in a place of its own, after the tasks that wait already.
    ///
    /// The body runs in this task, on the caller's actor (`isolation`) if it was written there. Its
    /// place is free again when it returns or throws. A task that is cancelled while it waits
    /// leaves the line at once; one that is cancelled before does not run the body either.
    ///
    /// - Returns: The body's result.
    /// - Throws: The body's error; `CancellationError` if the task was cancelled before it got a
    ///   place.
    /// - Complexity: O(1). A task that waits allocates an object.
    public func run<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> R {
        try Task.checkCancellation()
        if !state.withLock({ $0.takePlace() }) {
            reportNesting(file, line)
            try await wait()
        }
        defer { leave() }
        #if DEBUG
        let place = HeldPlace(of: self)
        defer { place.leave() }
        return try await HeldPlace.$all.withValue(place.andOuter) { try await body() }
        #else
        return try await body()
        #endif
    }

    /// Bodies that run, and tasks that have got a place and are about to run theirs. It may have
    /// changed when this returns.
    public var running: Int { state.withLock { $0.running } }

    /// Tasks that wait for a place. It may have changed when this returns.
    public var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits for a place, in order.
    nonisolated(nonsending) private func wait() async throws {
        let waiter = Waiter()
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { task in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if waiter.isOver { return .failure(CancellationError()) }
                    if state.takePlace() { return .success(()) }
                    waiter.task = task
                    state.waiters.append(waiter)
                    return nil
                }
                if let result { task.resume(with: result) }
            }
        } onCancel: {
            let task = state.withLock { $0.end(waiter) }
            task?.resume(throwing: CancellationError())
        }
    }

    private func leave() {
        let next = state.withLock { $0.leavePlace() }
        if let next { Tracking.resume(next, with: .success(())) }
    }

    /// In debug builds, reports a task that is about to wait for a place while it holds one.
    private func reportNesting(_ file: StaticString, _ line: UInt) {
        #if DEBUG
        guard HeldPlace.exists(of: self) else { return }
        Diagnostics.report(
            """
            a task waits for a place of a ConcurrencyLimit while it, or the task that started it, \
            holds one, and all places are taken: if the body in each place does this, none of them \
            ends. Call run(_:) after the body has returned, or give the inner work its own limit
            """, file: file, line: line)
        #endif
    }
}
