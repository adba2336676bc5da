// SPDX-License-Identifier: Apache-2.0

/// A token bucket: a number of permits a period, and at most a burst of them at once.
///
/// Permits come back one by one, evenly over the period, to the nanosecond. The bucket is full at
/// first. Tasks that wait are served in order; no call overtakes them.
public final class RateLimiter: Sendable {
    private let queue: PermitQueue

    /// A limiter whose bucket is full.
    ///
    /// Traps on a count, period or burst that is not above zero.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - count: Permits a period.
    ///   - period: The time in which that many come back.
    ///   - burst: Permits that the bucket holds; `count` if `nil`.
    ///   - loop: Its clock counts. The current loop, or else ``Loop/shared``.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Complexity: O(1).
    public init(
        _ count: Int, per period: Duration, burst: Int? = nil,
        on loop: Loop = .current ?? .shared, file: StaticString = #fileID, line: UInt = #line
    ) {
        let burst = burst ?? count
        check(
            count > 0 && count <= Int32.max && burst > 0 && burst <= Int32.max,
            "a rate limiter's count and burst lie in 1...\(Int32.max): \(count), \(burst)",
            file: file, line: line)
        check(
            period > .zero, "a rate limiter's period must be above zero, not \(period)",
            file: file, line: line)
        queue = PermitQueue(
            Bucket(count: count, period: period.nanosecondsRoundedUp, burst: burst), on: loop)
    }

    /// Takes permits. If there are not enough, waits for them behind the tasks that wait already.
    ///
    /// Cancelling the task gives up its place and takes nothing. Traps on more permits than the
    /// bucket holds: they would never come.
    ///
    /// **Thread:** any task. All waits share one node of the loop's wheel.
    /// - Parameters:
    ///   - permits: How many, at least 1.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Throws: `CancellationError` if the task is cancelled; ``SwivelError`` with
    ///   ``SwivelError/Code/shutdown`` if the loop is shut down and there are not enough permits.
    /// - Complexity: O(1) amortized.
    nonisolated(nonsending) public func acquire(
        _ permits: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await queue.acquire(permits, file: file, line: line)
    }

    /// Takes permits if there are enough and no task waits for some.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - permits: How many, at least 1.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: Whether they were taken.
    /// - Complexity: O(1).
    public func tryAcquire(
        _ permits: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        queue.tryAcquire(permits, file: file, line: line)
    }

    /// Permits that could be taken now. **Thread:** any; it may have changed when this returns.
    public var available: Int { queue.available }

    /// Tasks that wait for permits. **Thread:** any; it may have changed when this returns.
    public var waiting: Int { queue.waiting }
}

/// A token bucket as an instant: when it will be full. Time is counted in nanoseconds times the
/// permits of a period, in which a permit costs exactly the period and nothing is ever rounded.
///
/// This is the generic cell rate algorithm in its virtual scheduling form: ITU-T I.371, annex A.
struct Bucket {
    let count: Int128
    let period: Int128
    let burst: Int
    private var full: Int128 = 0

    init(count: Int, period: UInt64, burst: Int) {
        self.count = Int128(count)
        self.period = Int128(period)
        self.burst = burst
    }

    /// Permits at an instant, which is in nanoseconds.
    func available(at nanoseconds: UInt64) -> Int {
        let missing = max(full - Int128(nanoseconds) * count, 0)
        return burst - Int((missing + period - 1) / period)
    }

    /// Takes permits, if there are enough.
    mutating func take(_ permits: Int, at nanoseconds: UInt64) -> Bool {
        guard available(at: nanoseconds) >= permits else { return false }
        full = max(full, Int128(nanoseconds) * count) + Int128(permits) * period
        return true
    }

    /// The first instant at which there are enough, in nanoseconds.
    func instant(of permits: Int) -> UInt64 {
        let scaled = full + (Int128(permits) - Int128(burst)) * period
        return UInt64(clamping: (max(scaled, 0) + count - 1) / count)
    }
}
