// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel
internal import SwivelCompatSupport

// Brisk's Swift 2 functions that coalesce, and `each`. Of several blocks with one id the last one
// runs; in Brisk the first one did.

/// Brisk's name for `ExecutionContext.once(_:after:maxWait:leeway:_:)`.
///
/// **Thread:** any. `block` runs on `queue`, never inside this call.
/// - Parameters:
///   - seconds: From now, in seconds. Zero or less is a post; NaN traps.
///   - operationId: Names the operation.
///   - queue: Where the block runs.
///   - block: Runs once, unless a newer call replaces it, and is released.
/// - Returns: The pending timer. It is over once a newer call has replaced it.
/// - Complexity: As `ExecutionContext.once(_:after:maxWait:leeway:_:)`.
@available(*, deprecated, message: "use 'queue.once(id, after:) { }' with a Duration")
@preconcurrency
@discardableResult
public func dispatch_once_after(
    _ seconds: Double, operationId: String, onQueue queue: DispatchQueue,
    block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.once(operationId, after: Duration(seconds: seconds), block)
}

/// See `dispatch_once_after(_:operationId:onQueue:block:)`.
@available(*, deprecated, message: "use 'queue.once(id, after:) { }' with a Duration")
@preconcurrency
@discardableResult
public func dispatch_once_after(
    _ seconds: Double, _ queue: DispatchQueue, _ operationId: String,
    _ block: @escaping @Sendable () -> Void
) -> TimerHandle {
    queue.once(operationId, after: Duration(seconds: seconds), block)
}

/// See `dispatch_once_after(_:operationId:onQueue:block:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.once(id, after:) { }' with a Duration")
@preconcurrency
@discardableResult
public func dispatch_main_once_after(
    _ seconds: Double, operationId: String, block: @escaping @Sendable () -> Void
) -> TimerHandle {
    DispatchQueue.main.once(operationId, after: Duration(seconds: seconds), block)
}

/// See `dispatch_once_after(_:operationId:onQueue:block:)`.
@available(*, deprecated, message: "use 'DispatchQueue.main.once(id, after:) { }' with a Duration")
@preconcurrency
@discardableResult
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
