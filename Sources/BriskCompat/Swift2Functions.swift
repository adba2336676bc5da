// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel
internal import SwivelCompatSupport

// Brisk's Swift 2 functions, under Brisk's own names. Times are in seconds.

/// See `ExecutionContext.execute(_:)`.
@available(*, deprecated, renamed: "DispatchQueue.main.execute(_:)")
@preconcurrency
public func dispatch_main_async(_ block: @escaping @Sendable () -> Void) {
    DispatchQueue.main.execute(block)
}

/// See `WorkerPool.execute(_:)`.
@available(*, deprecated, renamed: "WorkerPool.shared.execute(_:)")
@preconcurrency
public func dispatch_bg_async(_ block: @escaping @Sendable () -> Void) {
    WorkerPool.shared.execute(block)
}

/// Brisk's name for `.serial(name).execute { }`: one `queueName`, its label, is one serial queue.
///
/// **Thread:** any. `block` runs on that queue, never inside this call.
/// - Complexity: O(1) on average. The first call with a name makes the queue.
@available(*, deprecated, message: "use DispatchQueue.serial(name).execute { }")
@preconcurrency
public func dispatch_async(_ queueName: String, block: @escaping @Sendable () -> Void) {
    DispatchQueue.serial(queueName).execute(block)
}

/// Runs `block` on the main queue and waits; inside this call if the caller is on the main queue.
///
/// **Thread:** any but a task's; blocks.
/// - Complexity: As `Route.sync(_:file:line:)`.
@available(*, noasync, message: "blocks its thread; use 'await block+>>.sync()'")
@available(*, deprecated, message: "use block+>>.sync()")
@preconcurrency
public func dispatch_main_sync(_ block: @escaping @Sendable () -> Void) {
    block+>>.sync()
}

/// Brisk's name for `ExecutionContext.schedule(after:leeway:_:)`. A `seconds` of zero or less is a
/// post; NaN traps.
///
/// **Thread:** any. `block` runs on `queue`, never inside this call.
/// - Returns: The timer, which cancels. Dropping it does nothing.
/// - Complexity: As `ExecutionContext.schedule(after:leeway:_:)`.
@available(*, deprecated, message: "use 'queue.schedule(after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_after(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.schedule(after: Duration(seconds: seconds), block)
}

/// See `dispatch_after(_:_:_:)`.
@available(*, deprecated, message: "use 'queue.schedule(after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_after_exactly(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.schedule(after: Duration(seconds: seconds), block)
}

/// Brisk's name for `ExecutionContext.schedule(every:startingAfter:leeway:jitter:missed:_:)`. A
/// `seconds` of zero or less traps, and so does NaN.
///
/// **Thread:** any. `block` gets each tick on `queue`, never inside this call.
/// - Returns: The timer, which cancels. Dropping it does nothing.
/// - Complexity: As `ExecutionContext.schedule(every:startingAfter:leeway:jitter:missed:_:)`.
@available(*, deprecated, message: "use 'queue.schedule(every:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_every(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    queue.schedule(every: Duration(seconds: seconds), block)
}

/// See `dispatch_every(_:_:_:)`.
@available(*, deprecated, message: "use 'queue.schedule(every:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_every_exact(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    queue.schedule(every: Duration(seconds: seconds), block)
}

/// See `dispatch_after(_:_:_:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.schedule(after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_main_after(
    _ seconds: Double, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(after: Duration(seconds: seconds), block)
}

/// See `dispatch_after(_:_:_:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.schedule(after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_main_after_exactly(
    _ seconds: Double, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(after: Duration(seconds: seconds), block)
}

/// See `dispatch_every(_:_:_:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.schedule(every:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_main_every(
    _ seconds: Double, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(every: Duration(seconds: seconds), block)
}

/// See `dispatch_every(_:_:_:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.schedule(every:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_main_every_exact(
    _ seconds: Double, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(every: Duration(seconds: seconds), block)
}

/// See `Tick.cancel()`.
@available(*, deprecated, message: "use 'timer.cancel()'")
public func dispatch_source_cancel(_ timer: Tick) { timer.cancel() }

/// See `TimerHandle.cancel()`.
@available(*, deprecated, message: "use 'timer.cancel()'")
public func dispatch_source_cancel(_ timer: TimerHandle) { timer.cancel() }

/// Brisk's name for `ExecutionContext.once(_:after:maxWait:leeway:_:)`. Of several blocks with one
/// `operationId` the last one runs; in Brisk the first one did. A `seconds` of zero or less is a
/// post; NaN traps.
///
/// **Thread:** any. `block` runs on `queue`, never inside this call.
/// - Returns: The pending timer. It is over once a newer call has replaced it.
/// - Complexity: As `ExecutionContext.once(_:after:maxWait:leeway:_:)`.
@available(*, deprecated, message: "use 'queue.once(id, after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_once_after(
    _ seconds: Double, operationId: String, onQueue queue: DispatchQueue,
    block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.once(operationId, after: Duration(seconds: seconds), block)
}

/// See `dispatch_once_after(_:operationId:onQueue:block:)`.
@available(*, deprecated, message: "use 'queue.once(id, after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_once_after(
    _ seconds: Double, _ queue: DispatchQueue, _ operationId: String,
    _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.once(operationId, after: Duration(seconds: seconds), block)
}

/// See `dispatch_once_after(_:operationId:onQueue:block:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.once(id, after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_main_once_after(
    _ seconds: Double, operationId: String, block: @escaping @Sendable () -> Void
) -> TimerHandle {
    DispatchQueue.main.once(operationId, after: Duration(seconds: seconds), block)
}

/// See `dispatch_once_after(_:operationId:onQueue:block:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.once(id, after:) { }' with a Duration")
@preconcurrency @discardableResult
public func dispatch_main_once_after(
    _ seconds: Double, _ operationId: String, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    DispatchQueue.main.once(operationId, after: Duration(seconds: seconds), block)
}

/// See `ExecutionContext.each(_:_:)`.
@available(*, noasync, message: "blocks its thread")
@available(*, deprecated, message: "use queue.each(elements) { }")
@preconcurrency
public func dispatch_each<T: Sendable>(
    _ elements: [T], queue: DispatchQueue, block: @escaping @Sendable (T) -> Void
) {
    queue.each(elements, block)
}

/// See `ExecutionContext.each(_:_:)`.
@available(*, noasync, message: "blocks its thread")
@available(*, deprecated, message: "use queue.each(elements) { }")
@preconcurrency
public func dispatch_each<T: Sendable>(
    _ elements: [T], _ queue: DispatchQueue, _ block: @escaping @Sendable (T) -> Void
) {
    queue.each(elements, block)
}
