// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt at something that failed.
public struct Backoff: Hashable, Sendable {
    /// The wait after the first failure.
    public var base: Duration
    /// The factor by which each further failure multiplies the wait.
    public var factor: Double
    /// The longest wait.
    public var limit: Duration
    /// The range of the fraction of the wait that is really waited, drawn each time, so that
    /// callers which failed together do not come back together.
    public var jitter: ClosedRange<Double>
    /// The seed of the draws; `nil`: a new one each time.
    public var seed: UInt64?

    /// Returns waits that grow: `base`, base · `factor`, base · factor², … up to the `limit`, with
    /// this `jitter` and `seed`; see the properties of these names. Traps on a negative base or
    /// limit, a factor outside 1...1,000,000, and jitter below zero or above 1000.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func exponential(
        base: Duration = .milliseconds(100), factor: Double = 2, limit: Duration = .seconds(30),
        jitter: ClosedRange<Double> = 0.5...1, seed: UInt64? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Backoff {
        let backoff = Backoff(base: base, factor: factor, limit: limit, jitter: jitter, seed: seed)
        backoff.checkRanges(file: file, line: line)
        return backoff
    }

    /// Returns a backoff with the same wait after each failure, a `delay` that must not be
    /// negative. `jitter` and `seed` are as in
    /// ``exponential(base:factor:limit:jitter:seed:file:line:)``.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static func constant(
        _ delay: Duration, jitter: ClosedRange<Double> = 1...1, seed: UInt64? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Backoff {
        exponential(
            base: delay, factor: 1, limit: delay, jitter: jitter, seed: seed, file: file, line: line
        )
    }

    /// Traps if a value is out of range. The properties can be set to any.
    func checkRanges(file: StaticString, line: UInt) {
        check(
            base >= .zero && limit >= .zero,
            "a backoff's base and limit must not be negative: \(base), \(limit)", file: file,
            line: line)
        check(
            (1...1_000_000).contains(factor),
            "a backoff's factor must lie in 1...1000000, not be \(factor)", file: file, line: line)
        check(
            jitter.lowerBound >= 0 && jitter.upperBound <= 1000,
            "a backoff's jitter is a part of the wait, and lies in 0...1 mostly, not \(jitter)",
            file: file, line: line)
    }

    /// Returns the wait after `previous`, before anything is drawn; `nil`: after the first failure.
    func next(after previous: Duration?) -> Duration {
        // Far beyond any use, and far below what overflows.
        let limit = min(self.limit, .seconds(1_000_000_000_000))
        return min(previous.map { $0 * factor } ?? base, limit)
    }

    /// Returns the wait after a number of `failures` in a row, at least one, with its jitter.
    package func wait(after failures: Int) -> Duration {
        var wait = next(after: nil)
        for _ in 1..<max(failures, 1) where wait < limit { wait = next(after: wait) }
        var generator = SystemRandomNumberGenerator()
        return drawn(from: wait, using: &generator)
    }

    /// Returns the part of a wait that is really waited.
    func drawn(from wait: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        let part =
            jitter.lowerBound == jitter.upperBound
            ? jitter.lowerBound : Double.random(in: jitter, using: &generator)
        return part == 1 ? wait : wait * part
    }
}
