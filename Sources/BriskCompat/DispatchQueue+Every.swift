// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Foundation
public import Swivel
internal import SwivelCompatSupport

// Brisk's repeating timers, with times in seconds. They return a TimerHandle, which cancels, as
// does the Tick that a block may take.
extension DispatchQueue {
    /// Brisk's name for
    /// `ExecutionContext.schedule(every:startingAfter:leeway:jitter:missed:_:)`.
    ///
    /// Giving both `startingIn` and `startingAt` traps.
    ///
    /// **Thread:** any. `block` runs on this queue, never inside this call.
    /// - Parameters:
    ///   - interval: Between two ticks, in seconds. Zero or less traps, and so does NaN.
    ///   - startingIn: Time to the first tick, in seconds; the interval if both are `nil`. NaN
    ///     traps.
    ///   - startingAt: The first tick's date, on the wall clock. NaN traps.
    ///   - leeway: How much later than its instant a tick may fire, in seconds; `nil`: no later.
    ///   - qos: The class that the block is submitted with.
    ///   - flags: The flags that the block is submitted with.
    ///   - block: Runs for each tick, and is released with the timer.
    /// - Returns: The timer, which cancels. Dropping it does nothing.
    /// - Complexity: As `ExecutionContext.schedule(every:startingAfter:leeway:jitter:missed:_:)`.
    @available(*, deprecated, message: "use 'schedule(every:) { }' with a Duration")
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

    /// See `DispatchQueue.async(every:startingIn:startingAt:leeway:qos:flags:execute:)`.
    @available(*, deprecated, message: "use 'schedule(every:) { }' with a Duration")
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
    let interval = Duration(seconds: interval)
    let leeway = Duration(leeway: leeway)
    if let date {
        return context.schedule(
            every: interval, startingAt: date as Date, leeway: leeway, work)
    }
    return context.schedule(
        every: interval, startingAfter: delay.map(Duration.init(seconds:)), leeway: leeway, work)
}
