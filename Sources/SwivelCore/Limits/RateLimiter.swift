// SPDX-License-Identifier: Apache-2.0

/// A token bucket: a number of permits per period, and at most a burst of them at once.
///
/// Permits come back one by one, evenly over the period, to the nanosecond. The bucket is full at
/// first. Tasks that wait are served in order; no call overtakes them. A ``ConcurrencyLimit``
/// bounds how many run at a time instead.
///
/// It runs nothing of the program's: a loop, and no other context, keeps its time.
///
/// **Thread:** any.
public final class RateLimiter: Sendable {
    /// A task that waits. Guarded by the queue's lock.
    private final class Waiter: Waits, @unchecked Sendable {
        // because the queue's lock guards what changes.
        let permits: Int
        var task: UnsafeContinuation<Void, any Error>?
        /// Whether the wait has ended, maybe before it began.
        var isOver = false
        var links = WaitingLinks<Waiter>()

        init(_ permits: Int) { self.permits = permits }
    }

    private struct State {
        var bucket: Bucket
        var waiters = WaitingLine<Waiter>()
        /// When the timer fires for the first waiter; `nil`: none waits.
        var deadline: UInt64?
        var timer = TimerHandle.refused

        /// Ends a wait. Returns the task to resume.
        mutating func end(_ waiter: Waiter) -> UnsafeContinuation<Void, any Error>? {
            waiters.remove(waiter)
            waiter.isOver = true
            return waiter.task.take()
        }
    }

    private let loop: Loop
    private let burst: Int
    private let state: Lock<State>

    /// A limiter whose bucket holds `burst` permits (`count` if `nil`), and is full. In each
    /// `period`, on the clock of `loop`, `count` of them come back. Traps unless all three are
    /// above zero.
    ///
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
        self.loop = loop
        self.burst = burst
        state = Lock(
            State(bucket: Bucket(count: count, period: period.nanosecondsRoundedUp, burst: burst)))
    }

    /// Takes `permits`, at least 1. If there are not enough, waits for them behind the tasks that
    /// wait already.
    ///
    /// A task that is cancelled leaves the line and takes nothing. Traps on more permits than the
    /// bucket holds: they would never come.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; ``SwivelError`` with
    ///   ``SwivelError/Code/shutdown`` if the loop is shut down and there are not enough permits,
    ///   ``SwivelError/Code/outOfMemory`` without memory for a timer.
    /// - Complexity: O(1). All waits share one node of the loop's wheel.
    nonisolated(nonsending) public func acquire(
        _ permits: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try Task.checkCancellation()
        if tryAcquire(permits, file: file, line: line) { return }
        let waiter = Waiter(permits)
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { task in
                let isOver = state.withLock { state in
                    if !waiter.isOver {
                        waiter.task = task
                        state.waiters.append(waiter)
                    }
                    return waiter.isOver
                }
                if isOver {
                    task.resume(throwing: CancellationError())
                } else {
                    serve()
                }
            }
        } onCancel: {
            let task = state.withLock { $0.end(waiter) }
            if let task {
                task.resume(throwing: CancellationError())
                serve()  // The next one may want fewer permits.
            }
        }
    }

    /// Takes `permits`, at least 1, if there are enough and no task waits for some. Traps on more
    /// than the bucket holds.
    ///
    /// - Returns: Whether they were taken.
    /// - Complexity: O(1).
    public func tryAcquire(
        _ permits: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        check(
            permits > 0 && permits <= burst,
            "\(permits) permits can never be had: the limiter's bucket holds \(burst)", file: file,
            line: line)
        let now = loop.now.nanoseconds
        return state.withLock { $0.waiters.first == nil && $0.bucket.take(permits, at: now) }
    }

    /// Permits that could be taken now: none while a task waits. It may have changed when this
    /// returns.
    public var available: Int {
        let now = loop.now.nanoseconds
        return state.withLock { $0.waiters.first == nil ? $0.bucket.available(at: now) : 0 }
    }

    /// Tasks that wait for permits. It may have changed when this returns.
    public var waiting: Int { state.withLock { $0.waiters.count } }
}

extension RateLimiter {
    /// Not callable: the compiler names the labels.
    @available(*, unavailable, renamed: "init(_:per:burst:on:file:line:)")
    public convenience init(
        limit: Int, per period: Duration, burst: Int? = nil, on loop: Loop = .current ?? .shared
    ) {
        fatalError()
    }

    /// Not callable: the compiler names the function.
    @available(*, unavailable, renamed: "acquire(_:file:line:)")
    public func wait(_ permits: Int = 1) async throws {
        fatalError()
    }
}

// The queue of tasks.
extension RateLimiter {
    /// Serves waiters from the front while there are permits, and arms the timer for the next one.
    private func serve() {
        let now = loop.now.nanoseconds
        let (granted, deadline, stale) = state.withLock { state in
            var granted: [UnsafeContinuation<Void, any Error>] = []
            while let head = state.waiters.first, state.bucket.take(head.permits, at: now) {
                state.end(head).map { granted.append($0) }
            }
            let next = state.waiters.first.map { state.bucket.instant(of: $0.permits) }
            let isSame = next == state.deadline
            defer { state.deadline = next }
            return (granted, isSame ? nil : next, isSame ? nil : state.timer)
        }
        stale?.cancel()
        granted.forEach { Tracking.resume($0, with: .success(())) }
        deadline.map(arm)
    }

    private func arm(_ deadline: UInt64) {
        // If the loop's end releases the closure of the timer that counts, no waiter will be served.
        let notice = DropNotice(self) { limiter in
            if limiter.loop.isOver { limiter.fail(.shutDown, at: deadline) }
        }
        let timer = loop.schedule(at: LoopClock.Instant(nanoseconds: deadline)) { [self] in
            withExtendedLifetime(notice) { serve(at: deadline) }
        }
        if timer == .refused {
            // No timer would serve them, unless another thread has armed one since.
            return loop.isOver
                ? fail(.shutDown)
                : fail(SwivelError(.outOfMemory, "no memory for a timer"), at: deadline)
        }
        let old = state.withLock { state in
            // Another thread may have armed the timer for another waiter.
            guard state.deadline == deadline else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        old.cancel()
    }

    /// The timer that was armed for `deadline` has fired.
    private func serve(at deadline: UInt64) {
        let isMeant = state.withLock { state in
            defer { if state.deadline == deadline { state.deadline = nil } }
            return state.deadline == deadline
        }
        if isMeant { serve() }
    }

    /// Ends all waits, or those that a timer for this deadline was to end.
    private func fail(_ error: SwivelError, at deadline: UInt64? = nil) {
        let tasks = state.withLock { state in
            var tasks: [UnsafeContinuation<Void, any Error>] = []
            guard deadline == nil || deadline == state.deadline else { return tasks }
            while let head = state.waiters.first { state.end(head).map { tasks.append($0) } }
            state.deadline = nil
            return tasks
        }
        tasks.forEach { $0.resume(throwing: error) }
    }
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
        // Not below none: the clocks of two threads may differ a little.
        return max(burst - Int((missing + period - 1) / period), 0)
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
