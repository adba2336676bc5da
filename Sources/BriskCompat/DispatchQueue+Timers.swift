// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Foundation
public import Swivel
internal import SwivelCompatSupport

// Brisk's timers. Times are in seconds; a leeway is how much later than its deadline one may fire.
// The TimerHandle cancels, as does the Tick that the block of a repeating timer may take.
extension DispatchQueue {
    /// Brisk's name for `ExecutionContext.schedule(after:leeway:_:)`. A `seconds` of zero or less
    /// is a post; NaN traps. A `leeway` of `nil` is none.
    ///
    /// **Thread:** any. `block`, submitted with `qos` and `flags`, runs on this queue, never inside
    /// this call.
    /// - Returns: The timer, which cancels. Dropping it does nothing.
    /// - Complexity: As `ExecutionContext.schedule(after:leeway:_:)`.
    @available(*, deprecated, message: "use 'schedule(after:) { }' with a Duration")
    @preconcurrency @discardableResult
    public func async(
        after seconds: Double, leeway: (any QuickDispatchTimeInterval)? = nil,
        qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
        execute block: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        context(qos, flags).schedule(
            after: Duration(seconds: seconds), leeway: Duration(leeway: leeway), block)
    }

    /// See `ExecutionContext.schedule(after:leeway:_:)`.
    @available(*, deprecated, renamed: "schedule(after:leeway:_:)")
    @preconcurrency @discardableResult
    public func async(
        after delay: Duration, leeway: Duration = .zero,
        execute block: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(after: delay, leeway: leeway, block)
    }

    /// See `DispatchQueue.async(after:leeway:qos:flags:execute:)`.
    @available(*, deprecated, message: "use 'schedule(after:) { item.perform() }' with a Duration")
    @discardableResult
    public func async(
        after seconds: Double, leeway: (any QuickDispatchTimeInterval)? = nil,
        execute item: DispatchWorkItem
    ) -> TimerHandle {
        async(after: seconds, leeway: leeway, execute: performing(item))
    }

    /// Brisk's name for `ExecutionContext.schedule(at:leeway:_:)` with a `date` of the wall clock,
    /// of which NaN traps. A `leeway` of `nil` is none.
    ///
    /// **Thread:** any. `block`, submitted with `qos` and `flags`, runs on this queue, never inside
    /// this call.
    /// - Returns: The timer, which cancels. Dropping it does nothing.
    /// - Complexity: As `ExecutionContext.schedule(at:leeway:_:)`.
    @available(*, deprecated, message: "use 'schedule(at: date) { }' with a Date")
    @preconcurrency @discardableResult
    public func async(
        at date: NSDate, leeway: (any QuickDispatchTimeInterval)? = nil,
        qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
        execute block: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        context(qos, flags).schedule(at: date as Date, leeway: Duration(leeway: leeway), block)
    }

    /// See `DispatchQueue.async(at:leeway:qos:flags:execute:)`.
    @available(*, deprecated, message: "use 'schedule(at: date) { }' with a Date")
    @discardableResult
    public func async(
        at date: NSDate, leeway: (any QuickDispatchTimeInterval)? = nil,
        execute item: DispatchWorkItem
    ) -> TimerHandle {
        schedule(at: date as Date, leeway: Duration(leeway: leeway), performing(item))
    }

    /// Brisk's name for `ExecutionContext.once(_:after:maxWait:leeway:_:)`: of several calls with
    /// one `operationId` the last one runs, after `interval`, in seconds, or at `date`, of the wall
    /// clock. Giving both traps, and so does NaN; without either the block is posted, as after zero
    /// or less. A `leeway` of `nil` is none.
    ///
    /// **Thread:** any. `block`, submitted with `qos` and `flags`, runs on this queue, never inside
    /// this call.
    /// - Returns: The pending timer. It is over once a newer call has replaced it.
    /// - Complexity: As `ExecutionContext.once(_:after:maxWait:leeway:_:)`.
    @available(*, deprecated, message: "use 'once(id, after:) { }' with a Duration")
    @preconcurrency @discardableResult
    public func once(
        operationId: String, after interval: Double? = nil, at date: NSDate? = nil,
        leeway: (any QuickDispatchTimeInterval)? = nil, qos: DispatchQoS = .default,
        flags: DispatchWorkItemFlags = [], execute block: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        refuseTwoTimes(interval, date, "once(operationId:): 'after' and 'at'")
        let leeway = Duration(leeway: leeway)
        if let date {
            return context(qos, flags).once(operationId, at: date as Date, leeway: leeway, block)
        }
        return context(qos, flags).once(
            operationId, after: Duration(seconds: interval ?? 0), leeway: leeway, block)
    }

    /// Brisk's name for `ExecutionContext.schedule(every:startingAfter:leeway:jitter:missed:_:)`.
    /// The first tick comes after `startingIn` seconds, at `startingAt`, a date of the wall clock,
    /// or after `interval`, in seconds. Giving both starts traps, and so do NaN and an interval of
    /// zero or less. A `leeway` of `nil` is none.
    ///
    /// **Thread:** any. `block`, submitted with `qos` and `flags`, runs on this queue, never inside
    /// this call, and is released with the timer.
    /// - Returns: The timer, which cancels. Dropping it does nothing.
    /// - Complexity: As `ExecutionContext.schedule(every:startingAfter:leeway:jitter:missed:_:)`.
    @available(*, deprecated, message: "use 'schedule(every:) { }' with a Duration")
    @preconcurrency @discardableResult
    public func async(
        every interval: Double, startingIn: Double? = nil, startingAt: NSDate? = nil,
        leeway: (any QuickDispatchTimeInterval)? = nil, qos: DispatchQoS = .default,
        flags: DispatchWorkItemFlags = [], execute block: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        repeating(
            every: interval, startingIn, startingAt, leeway, context(qos, flags), { _ in block() })
    }

    /// See `DispatchQueue.async(every:startingIn:startingAt:leeway:qos:flags:execute:)`.
    @available(*, deprecated, message: "use 'schedule(every:) { }' with a Duration")
    @preconcurrency @discardableResult
    public func async(
        every interval: Double, startingIn: Double? = nil, startingAt: NSDate? = nil,
        leeway: (any QuickDispatchTimeInterval)? = nil, qos: DispatchQoS = .default,
        flags: DispatchWorkItemFlags = [],
        execute block: @escaping @Sendable (_ timer: Tick) -> Void
    ) -> TimerHandle {
        repeating(every: interval, startingIn, startingAt, leeway, context(qos, flags), block)
    }

    /// See `DispatchQueue.async(every:startingIn:startingAt:leeway:qos:flags:execute:)`.
    @available(*, deprecated, message: "use 'schedule(every:) { }' with a Duration")
    @discardableResult
    public func async(
        every interval: Double, startingIn: Double? = nil, startingAt: NSDate? = nil,
        leeway: (any QuickDispatchTimeInterval)? = nil, execute item: DispatchWorkItem
    ) -> TimerHandle {
        let perform = performing(item)
        return repeating(every: interval, startingIn, startingAt, leeway, self, { _ in perform() })
    }
}

private func repeating(
    every interval: Double, _ delay: Double?, _ date: NSDate?,
    _ leeway: (any QuickDispatchTimeInterval)?, _ context: any ExecutionContext,
    _ work: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    refuseTwoTimes(delay, date, "async(every:): 'startingIn' and 'startingAt'")
    let (interval, leeway) = (Duration(seconds: interval), Duration(leeway: leeway))
    if let date {
        return context.schedule(every: interval, startingAt: date as Date, leeway: leeway, work)
    }
    return context.schedule(
        every: interval, startingAfter: delay.map(Duration.init(seconds:)), leeway: leeway, work)
}

/// Stops the program if both times are given, where Brisk raised an exception.
private func refuseTwoTimes(_ seconds: Double?, _ date: NSDate?, _ what: String) {
    if seconds != nil && date != nil {
        fatalError("Swivel: \(what) are both given; give one of them")
    }
}

/// A queue with Brisk's `qos:` and `flags:` for each submission.
private struct QualifiedQueue: ExecutionContext {
    let queue: DispatchQueue
    let qos: DispatchQoS
    /// The flags' bits, because Dispatch did not make its set of them `Sendable`.
    let flags: UInt

    func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async(qos: qos, flags: DispatchWorkItemFlags(rawValue: flags), execute: work)
    }

    var isCurrent: Bool { queue.isCurrent }
}

extension DispatchQueue {
    /// This queue with that class and these flags.
    private func context(_ qos: DispatchQoS, _ flags: DispatchWorkItemFlags) -> any ExecutionContext
    {
        qos == .default && flags.isEmpty
            ? self : QualifiedQueue(queue: self, qos: qos, flags: flags.rawValue)
    }
}

/// A closure that performs a work item, which does nothing if the item was cancelled.
private func performing(_ item: DispatchWorkItem) -> @Sendable () -> Void {
    nonisolated(unsafe) let item = item
    // because Dispatch itself takes items from any thread.
    return { item.perform() }
}
