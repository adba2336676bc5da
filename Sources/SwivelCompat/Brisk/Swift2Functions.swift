// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

// Brisk's Swift 2 functions, under Brisk's own names. Times are in seconds.

/// Brisk's name for `.main.execute { }`.
@available(*, deprecated, renamed: "DispatchQueue.main.execute(_:)")
@preconcurrency
public func dispatch_main_async(_ block: @escaping @Sendable () -> Void) {
    DispatchQueue.main.execute(block)
}

/// Brisk's name for `.background.execute { }`.
@available(*, deprecated, renamed: "WorkerPool.shared.execute(_:)")
@preconcurrency
public func dispatch_bg_async(_ block: @escaping @Sendable () -> Void) {
    WorkerPool.shared.execute(block)
}

/// Brisk's name for `.serial(name).execute { }`: one name is one serial queue.
@available(*, deprecated, message: "use DispatchQueue.serial(name).execute { }")
@preconcurrency
public func dispatch_async(_ queueName: String, block: @escaping @Sendable () -> Void) {
    DispatchQueue.serial(queueName).execute(block)
}

/// Runs the block on the main queue and waits; inside this call if the caller is on the main queue.
@available(*, noasync, message: "blocks its thread; use 'await block+>>.sync()'")
@available(*, deprecated, message: "use block+>>.sync()")
@preconcurrency
public func dispatch_main_sync(_ block: @escaping @Sendable () -> Void) {
    block+>>.sync()
}

/// See ``ExecutionContext/schedule(after:leeway:_:)``.
@available(*, deprecated, message: "use queue.schedule(after:) { }")
@preconcurrency
@discardableResult
public func dispatch_after(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.schedule(after: Duration(seconds: seconds), block)
}

/// Brisk's name for ``ExecutionContext/schedule(after:leeway:_:)``, which is exact without a leeway.
@available(*, deprecated, message: "use queue.schedule(after:) { }")
@preconcurrency
@discardableResult
public func dispatch_after_exactly(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.schedule(after: Duration(seconds: seconds), block)
}

/// See ``ExecutionContext/schedule(every:startingAfter:leeway:jitter:missed:_:)``.
@available(*, deprecated, message: "use queue.schedule(every:) { }")
@preconcurrency
@discardableResult
public func dispatch_every(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    queue.schedule(every: Duration(seconds: seconds), block)
}

/// See ``ExecutionContext/schedule(every:startingAfter:leeway:jitter:missed:_:)``.
@available(*, deprecated, message: "use queue.schedule(every:) { }")
@preconcurrency
@discardableResult
public func dispatch_every_exact(
    _ seconds: Double, _ queue: DispatchQueue, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    queue.schedule(every: Duration(seconds: seconds), block)
}

/// Brisk's name for `.main.schedule(after:) { }`.
@available(*, deprecated, message: "use DispatchQueue.main.schedule(after:) { }")
@preconcurrency
@discardableResult
public func dispatch_main_after(
    _ seconds: Double, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(after: Duration(seconds: seconds), block)
}

/// Brisk's name for `.main.schedule(after:) { }`, which is exact without a leeway.
@available(*, deprecated, message: "use DispatchQueue.main.schedule(after:) { }")
@preconcurrency
@discardableResult
public func dispatch_main_after_exactly(
    _ seconds: Double, _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(after: Duration(seconds: seconds), block)
}

/// Brisk's name for `.main.schedule(every:) { }`.
@available(*, deprecated, message: "use DispatchQueue.main.schedule(every:) { }")
@preconcurrency
@discardableResult
public func dispatch_main_every(
    _ seconds: Double, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(every: Duration(seconds: seconds), block)
}

/// Brisk's name for `.main.schedule(every:) { }`, which is exact without a leeway.
@available(*, deprecated, message: "use DispatchQueue.main.schedule(every:) { }")
@preconcurrency
@discardableResult
public func dispatch_main_every_exact(
    _ seconds: Double, _ block: @escaping @Sendable (Tick) -> Void
) -> TimerHandle {
    DispatchQueue.main.schedule(every: Duration(seconds: seconds), block)
}
