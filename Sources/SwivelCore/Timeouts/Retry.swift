// SPDX-License-Identifier: Apache-2.0

/// Runs `body`, which gets the number of the attempt from 1, until it succeeds, at most `attempts`
/// times. After each failure it waits by `backoff`, on the clock of `loop`.
///
/// Cancelling the task ends a wait at once. A body that fails while its task is cancelled, with
/// `CancellationError`, or with an error for which `isWorthIt` returns false, does not run again.
/// Fewer than 1 attempt traps, and so does a backoff with a property outside its range.
///
///     let backoff = Backoff.exponential(base: .milliseconds(200))
///     let page = try await retry(attempts: 5, backoff: backoff) {
///         try await fetch(url)
///     }
///
/// **Thread:** any task. The body runs on the caller's actor.
/// - Returns: The body's result.
/// - Throws: The body's last error; `CancellationError` if the task was cancelled in a wait;
///   ``SwivelError`` with ``SwivelError/Code/shutdown`` if the loop is shut down.
/// - Complexity: O(1) per attempt. A wait is one node of the loop's wheel.
nonisolated(nonsending) public func retry<R>(
    attempts: Int = 3, backoff: Backoff = .exponential(), on loop: Loop = .current ?? .shared,
    if isWorthIt: (any Error) -> Bool = { _ in true },
    _ body: nonisolated(nonsending) (_ attempt: Int) async throws -> R,
    file: StaticString = #fileID, line: UInt = #line
) async throws -> R {
    check(attempts > 0, "attempts must be at least 1, not \(attempts)", file: file, line: line)
    backoff.checkRanges(file: file, line: line)
    var system = SystemRandomNumberGenerator()
    var random = SplitMix64(seed: backoff.seed ?? system.next())
    var wait: Duration?
    var attempt = 1
    while true {
        do {
            return try await body(attempt)
        } catch {
            if attempt >= attempts || Task.isCancelled || error is CancellationError
                || !isWorthIt(error)
            {
                throw error
            }
        }
        let next = backoff.next(after: wait)
        wait = next
        try await loop.clock.sleep(for: backoff.drawn(from: next, using: &random))
        attempt += 1
    }
}

/// Runs `body` until it succeeds: like `retry` with a body that gets the attempt's number.
/// `attempts`, `backoff`, `loop` and `isWorthIt` are the same, and so is what it returns and
/// throws.
///
/// **Thread:** any task. The body runs on the caller's actor.
/// - Complexity: O(1) per attempt.
nonisolated(nonsending) public func retry<R>(
    attempts: Int = 3, backoff: Backoff = .exponential(), on loop: Loop = .current ?? .shared,
    if isWorthIt: (any Error) -> Bool = { _ in true },
    _ body: nonisolated(nonsending) () async throws -> R, file: StaticString = #fileID,
    line: UInt = #line
) async throws -> R {
    try await retry(
        attempts: attempts, backoff: backoff, on: loop, if: isWorthIt, { _ in try await body() },
        file: file, line: line)
}

// With the two forms above alone the compiler has no diagnostic for a wrong label
// (Swift 6.3.1): neither fixes `R` if the closure is not its argument.

/// Not callable: the compiler names the labels.
@available(*, unavailable, message: "the labels of retry are attempts:, backoff:, on: and if:")
public func retry(
    attempts: Any = 0, _ wrong: Any..., body: () async throws -> Any
) async throws -> Never {
    fatalError()
}

/// Not callable: the compiler names the labels.
@available(*, unavailable, message: "the labels of retry are attempts:, backoff:, on: and if:")
public func retry(
    attempts: Any = 0, _ wrong: Any..., body: (Any) async throws -> Any
) async throws -> Never {
    fatalError()
}
