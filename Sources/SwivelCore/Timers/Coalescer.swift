// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Many requests, one run: a debounce with a handle.
///
/// Each ``call()`` moves the run to `after` from now; with `maxWait` a run comes at the latest that
/// long after the first call of a series. ``ExecutionContext/once(_:after:maxWait:leeway:_:)`` is the
/// form that needs no object.
public final class Coalescer: Sendable {
    private let core: Core
    private let timer: LoopTimer

    /// What the timer's closure needs: it must not retain the timer.
    private final class Core: Sendable {
        let context: any ExecutionContext
        let isLoop: Bool
        let delay: Duration
        let maxWait: Duration?
        let work: @Sendable () -> Void
        /// Nanoseconds of the instant that a series may not pass; 0: no series is under way.
        let limit = Atomic<UInt64>(0)
        /// The series' number while its run is pending, else 0. A run takes it when it starts, so one
        /// that was handed to a context is void once it was cancelled. A call in between belongs to the
        /// series: the run starts after it.
        let pending = Atomic<UInt64>(0)
        let count = Atomic<UInt64>(0)

        init(
            _ context: any ExecutionContext, _ delay: Duration, _ maxWait: Duration?,
            _ work: @escaping @Sendable () -> Void
        ) {
            self.context = context
            isLoop = context is Loop
            self.delay = delay
            self.maxWait = maxWait
            self.work = work
        }

        func call() {
            let number = count.wrappingAdd(1, ordering: .relaxed).newValue
            _ = pending.compareExchange(
                expected: 0, desired: number, ordering: .acquiringAndReleasing)
        }

        /// The series is over: runs the work, on its context.
        func fire() {
            limit.store(0, ordering: .relaxed)
            let number = pending.load(ordering: .acquiring)
            if isLoop {
                run(number)
            } else {
                context.execute { self.run(number) }
            }
        }

        func run(_ number: UInt64) {
            let isMine = pending.compareExchange(
                expected: number, desired: 0, ordering: .acquiringAndReleasing
            ).exchanged
            if isMine && number != 0 { work() }
        }
    }

    /// A coalescer.
    ///
    /// - Parameters:
    ///   - context: Where `work` runs. On a loop a call costs a few nanoseconds; other contexts keep
    ///     their time on ``Loop/shared``.
    ///   - delay: Time from the last call to the run.
    ///   - maxWait: Time from a series' first call to its run at the latest; `nil`: no limit.
    ///   - work: What runs.
    public init(
        on context: some ExecutionContext, after delay: Duration, maxWait: Duration? = nil,
        _ work: @escaping @Sendable () -> Void
    ) {
        let core = Core(context, delay, maxWait, work)
        self.core = core
        timer = LoopTimer(on: (context as? Loop) ?? .shared) { core.fire() }
    }

    /// Asks for a run, and moves it if one is pending.
    ///
    /// **Thread:** any.
    /// - Returns: False: the loop is shut down.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func call() -> Bool {
        core.call()
        let isArmed = arm()
        if !isArmed {
            core.pending.store(0, ordering: .relaxed)
        }
        return isArmed
    }

    private func arm() -> Bool {
        guard let maxWait = core.maxWait else {
            return timer.arm(after: core.delay)
        }
        let now = timer.now
        let first = now.advanced(by: maxWait).nanoseconds
        let (isFirst, limit) = core.limit.compareExchange(
            expected: 0, desired: first, ordering: .relaxed)
        let wanted = now.advanced(by: core.delay)
        let latest = LoopClock.Instant(nanoseconds: isFirst ? first : limit)
        return timer.arm(at: min(wanted, latest))
    }

    /// Starts what is pending in the context's next turn, and returns at once: it does not wait for the
    /// run, as ``flushAndWait()`` does.
    ///
    /// **Thread:** any.
    /// - Returns: False: nothing was pending.
    @discardableResult
    public func flush() -> Bool {
        let number = hasten()
        guard number != 0 else { return false }
        core.context.executeBeyondLimit { [core] in core.run(number) }
        return true
    }

    /// As ``flush()``, and waits until the run has ended, if there was one.
    ///
    /// **Thread:** any task.
    public func flushAndWait() async {
        let number = hasten()
        guard number != 0 else { return }
        await withCheckedContinuation { continuation in
            let end = End(continuation)
            core.context.executeBeyondLimit { [core] in
                core.run(number)
                end.hasCome()
            }
        }
    }

    /// Stops the wait for the pending run, and tells its number; 0 if there is none.
    private func hasten() -> UInt64 {
        timer.disarm()
        core.limit.store(0, ordering: .relaxed)
        return core.pending.load(ordering: .acquiring)
    }

    /// The end of a run, which also comes when the context releases it without running it.
    private final class End: Sendable {
        private let continuation: CheckedContinuation<Void, Never>

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = continuation
        }

        /// Keeps this alive until the work has run.
        func hasCome() {}

        deinit { continuation.resume() }
    }

    /// Drops what is pending.
    ///
    /// **Thread:** any.
    /// - Returns: Whether a run was pending; it does not start any more.
    @discardableResult
    public func cancel() -> Bool {
        timer.disarm()
        core.limit.store(0, ordering: .relaxed)
        return core.pending.exchange(0, ordering: .acquiringAndReleasing) != 0
    }

    /// Whether a run is pending. **Thread:** any.
    public var isPending: Bool {
        core.pending.load(ordering: .relaxed) != 0 && !timer.isOver
    }
}
