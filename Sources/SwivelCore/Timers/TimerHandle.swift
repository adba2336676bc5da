// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A reference to a timer, with which it can be cancelled and moved.
///
/// A handle is two words, trivially copyable. It retains neither the timer nor its context, and
/// dropping it does nothing. A stale handle, of a timer that is over or of a loop that is gone, is
/// harmless. Use ``scoped()`` for a timer that ends with a scope.
///
/// **Thread:** any.
public struct TimerHandle: Hashable, Sendable {
    /// The loop's record, or a ``TimerTable`` with the lowest bit set; 0 for a refused timer.
    private let owner: UInt
    /// The node's index and generation, or the table's own number.
    let id: UInt64

    @inline(__always)
    init(_ timer: swivel_timer) {
        owner = UInt(bitPattern: timer.loop)
        id = UInt64(timer.generation) << 32 | UInt64(timer.index)
    }

    package init(table: TimerTable, id: UInt64) {
        owner = UInt(bitPattern: Unmanaged.passUnretained(table).toOpaque()) | 1
        self.id = id
    }

    package static var refused: TimerHandle { TimerHandle(swivel_timer()) }

    @inline(__always)
    var timer: swivel_timer {
        swivel_timer(
            loop: OpaquePointer(bitPattern: owner), index: UInt32(truncatingIfNeeded: id),
            generation: UInt32(truncatingIfNeeded: id >> 32))
    }

    @inline(__always)
    var table: TimerTable? {
        guard owner & 1 != 0, let pointer = UnsafeRawPointer(bitPattern: owner & ~1)
        else { return nil }
        return Unmanaged<TimerTable>.fromOpaque(pointer).takeUnretainedValue()
    }
}

extension TimerHandle {
    /// Cancels the timer: its closure never runs (again).
    ///
    /// Returns the winner: exactly one of fire and cancel wins. After ``CancelResult/cancelled``
    /// the closure never starts, and its captures were released on the calling thread before this
    /// returned. On the loop's thread that is the result for every timer that is not running, also
    /// for the next one of the batch being fired. Inside the timer's own closure the result is
    /// ``CancelResult/running``: a repeating timer has no further tick and is released as soon as
    /// its closure returns.
    ///
    /// - Complexity: O(1) whatever the number of timers, without allocation. (On the loop's thread
    ///   the timer is unlinked at once: Varghese and Lauck's wheel, SOSP 1987.)
    @discardableResult
    public func cancel() -> CancelResult {
        guard owner & 1 == 0 else { return cancelInTable() }
        let own = swivel__own_cancel(timer)
        guard own.has_won else { return cancelElsewhere() }
        Self.end(own.work)
        return .cancelled
    }

    /// On other threads, and for all but one-shots that no other thread has touched.
    @inline(never)
    private func cancelElsewhere() -> CancelResult {
        var work = swivel_work()
        let result = swivel__cancel(timer, &work)
        if result == SWIVEL_CANCELLED { Self.end(work) }
        return CancelResult(result)
    }

    @inline(__always)
    private static func end(_ work: swivel_work) {
        if TaskWords.are(in: work) { endSleep(work) } else { Work.release(work) }
    }

    @inline(never)
    private func cancelInTable() -> CancelResult { table?.find(id)?.cancel() ?? .finished }

    @inline(never)
    private static func endSleep(_ work: swivel_work) { Sleep.cancel(TaskWords(work)) }

    /// Moves a pending timer to `delay` from now, on the timer's clock; fractions of a nanosecond
    /// round up. Zero or less means now, without the leeway, in order with the posts of this
    /// thread. A repeating timer's next tick moves, and its grid continues from there. Among timers
    /// with equal deadlines the timer comes last: a call that moves it counts as a new one.
    ///
    /// - Returns: True if the timer will not fire before the new deadline. False if it is over, or
    ///   its one-shot closure is running.
    /// - Complexity: O(1) without allocation. A later deadline is only stored; now is a post.
    @discardableResult
    public func rearm(after delay: Duration) -> Bool {
        if let table { return table.find(id)?.rearm(after: delay) ?? false }
        return swivel_rearm(timer, delay.nanosecondsRoundedUp)
    }

    /// Whether the closure will run (again) unless the timer is cancelled. On another thread than
    /// the loop's the result may be outdated when it returns.
    public var isPending: Bool {
        if let table { return table.find(id)?.isPending ?? false }
        return swivel_is_pending(timer)
    }

    /// Returns the timer as a value that cancels it when it goes out of scope.
    ///
    /// - Complexity: O(1).
    public func scoped() -> ScopedTimer { ScopedTimer(self) }
}

extension TimerHandle {
    /// Cancels the timer, and suspends until a closure that runs has returned, and that of a
    /// repeating timer has been released. In a task that the closure itself waits for, the call
    /// never returns.
    ///
    /// - Returns: The outcome, as for ``cancel()``.
    /// - Complexity: O(1); a few allocations while the closure is running.
    public func cancelAndWait() async -> CancelResult {
        let result = cancel()
        if result == .running {
            await withCheckedContinuation { continuation in
                EndWatch.shared.wait(for: self) { continuation.resume() }
            }
        }
        return result
    }
}

/// The tasks that wait for running closures to end.
package final class EndWatch: Sendable {
    package static let shared = EndWatch()

    private let waiting = Lock<[TimerHandle: [@Sendable () -> Void]]>.ofProcess { _ in [:] }

    /// Calls `body` once the closure has ended; at once if it is not running.
    package func wait(for handle: TimerHandle, _ body: @escaping @Sendable () -> Void) {
        if let table = handle.table {
            if table.find(handle.id)?.watch(body) != true { body() }
            return
        }
        // Registered first: the end may be reported before `swivel_watch` returns.
        waiting.withLock { $0[handle, default: []].append(body) }
        if !swivel_watch(handle.timer) { ended(handle) }
    }

    func ended(_ handle: TimerHandle) {
        let bodies = waiting.withLock { $0.removeValue(forKey: handle) }
        bodies?.forEach { $0() }
    }
}

/// A timer that is cancelled when this value goes out of scope.
///
/// **Thread:** any.
public struct ScopedTimer: ~Copyable, Sendable {
    /// The timer.
    public let handle: TimerHandle

    /// Binds the life of the timer of `handle` to this value's.
    ///
    /// - Complexity: O(1).
    public init(_ handle: TimerHandle) { self.handle = handle }

    deinit { handle.cancel() }

    /// See ``TimerHandle/cancel()``.
    @discardableResult
    public func cancel() -> CancelResult { handle.cancel() }

    /// See ``TimerHandle/isPending``.
    public var isPending: Bool { handle.isPending }

    /// Returns the handle, and lets the timer go on without this value.
    ///
    /// - Complexity: O(1).
    public consuming func release() -> TimerHandle {
        let handle = self.handle
        discard self
        return handle
    }
}
