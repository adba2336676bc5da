// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Foundation
public import Swivel
internal import SwivelCompatSupport

// Brisk's one-shot timers, with times in seconds. They return a TimerHandle, which cancels.
extension DispatchQueue {
    /// Brisk's name for `ExecutionContext.schedule(after:leeway:_:)`.
    ///
    /// **Thread:** any. `block` runs on this queue, never inside this call.
    /// - Parameters:
    ///   - seconds: From now, in seconds. Zero or less is a post; NaN traps.
    ///   - leeway: How much later than its deadline it may fire, in seconds; `nil`: no later.
    ///   - qos: The class that the block is submitted with.
    ///   - flags: The flags that the block is submitted with.
    ///   - block: Runs once, and is released.
    /// - Returns: The timer, which cancels. Dropping it does nothing.
    /// - Complexity: As `ExecutionContext.schedule(after:leeway:_:)`.
    @available(*, deprecated, message: "use 'schedule(after:) { }' with a Duration")
    @preconcurrency
    @discardableResult
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
    @preconcurrency
    @discardableResult
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
        schedule(
            after: Duration(seconds: seconds), leeway: Duration(leeway: leeway), performing(item))
    }

    /// Brisk's name for `ExecutionContext.schedule(at:leeway:_:)` with a date.
    ///
    /// **Thread:** any. `block` runs on this queue, never inside this call.
    /// - Parameters:
    ///   - date: On the wall clock. NaN traps.
    ///   - leeway: How much later than its deadline it may fire, in seconds; `nil`: no later.
    ///   - qos: The class that the block is submitted with.
    ///   - flags: The flags that the block is submitted with.
    ///   - block: Runs once, and is released.
    /// - Returns: The timer, which cancels. Dropping it does nothing.
    /// - Complexity: As `ExecutionContext.schedule(at:leeway:_:)`.
    @available(*, deprecated, message: "use 'schedule(at: date) { }' with a Date")
    @preconcurrency
    @discardableResult
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

    /// Brisk's name for `ExecutionContext.once(_:after:maxWait:leeway:_:)`.
    ///
    /// Giving both `after` and `at` traps; without either the block is posted.
    ///
    /// **Thread:** any. `block` runs on this queue, never inside this call.
    /// - Parameters:
    ///   - operationId: Names the operation. Of several calls with one id the last one runs.
    ///   - interval: From now, in seconds. Zero or less is a post; NaN traps.
    ///   - date: On the wall clock. NaN traps.
    ///   - leeway: How much later than its deadline it may fire, in seconds; `nil`: no later.
    ///   - qos: The class that the block is submitted with.
    ///   - flags: The flags that the block is submitted with.
    ///   - block: Runs once, unless a newer call replaces it, and is released.
    /// - Returns: The pending timer. It is over once a newer call has replaced it.
    /// - Complexity: As `ExecutionContext.once(_:after:maxWait:leeway:_:)`.
    @available(*, deprecated, message: "use 'once(id, after:) { }' with a Duration")
    @preconcurrency
    @discardableResult
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
}

/// Stops the program if both times are given, where Brisk raised an exception.
func refuseTwoTimes(_ seconds: Double?, _ date: NSDate?, _ what: String) {
    if seconds != nil && date != nil {
        fatalError("Swivel: \(what) are both given; give one of them")
    }
}
