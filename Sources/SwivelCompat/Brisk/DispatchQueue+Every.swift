// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Foundation
public import Swivel

// Brisk's repeating timers, with times in seconds. They return a TimerHandle, which cancels, as
// does the Tick that a block may take.
extension DispatchQueue {
    /// See ``ExecutionContext/schedule(every:startingAfter:leeway:jitter:missed:_:)``.
    /// Giving both `startingIn` and `startingAt` traps.
    @available(*, deprecated, renamed: "schedule(every:startingAfter:leeway:jitter:missed:_:)")
    @preconcurrency
    @discardableResult
    public func async(
        every interval: Double, startingIn: Double? = nil, startingAt: NSDate? = nil,
        leeway: (any QuickDispatchTimeInterval)? = nil, qos: DispatchQoS = .default,
        flags: DispatchWorkItemFlags = [], execute block: @escaping @Sendable () -> Void
    ) -> TimerHandle {
        repeating(
            every: interval, startingIn, startingAt, leeway, context(qos, flags), { _ in block() })
    }

    /// The form whose block takes the ``Tick``, which has a `cancel()`.
    @available(*, deprecated, renamed: "schedule(every:startingAfter:leeway:jitter:missed:_:)")
    @preconcurrency
    @discardableResult
    public func async(
        every interval: Double, startingIn: Double? = nil, startingAt: NSDate? = nil,
        leeway: (any QuickDispatchTimeInterval)? = nil, qos: DispatchQoS = .default,
        flags: DispatchWorkItemFlags = [],
        execute block: @escaping @Sendable (_ timer: Tick) -> Void
    ) -> TimerHandle {
        repeating(every: interval, startingIn, startingAt, leeway, context(qos, flags), block)
    }

    /// The form with a work item. A cancelled item does nothing, and the timer goes on.
    @available(*, deprecated, renamed: "schedule(every:startingAfter:leeway:jitter:missed:_:)")
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
    let interval = Duration(seconds: interval)
    let leeway = Duration(leeway: leeway)
    if let date {
        return context.schedule(
            every: interval, startingAt: date as Date, leeway: leeway, work)
    }
    return context.schedule(
        every: interval, startingAfter: delay.map(Duration.init(seconds:)), leeway: leeway, work)
}
