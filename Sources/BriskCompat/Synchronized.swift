// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import SwivelCore

/// Brisk's name for `lock.withLock { }`. Returns or throws what `block` does.
///
/// **Thread:** any; blocks while another thread holds `lock`. `block` runs inside this call.
/// - Complexity: O(1) and the block.
@available(*, deprecated, message: "use 'lock.withLock { }'")
public func synchronized<R, E: Error>(
    _ lock: any NSLocking, block: () throws(E) -> R
) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    return try block()
}

/// Runs `block` under the process's one lock, which it may take again. Returns or throws what it
/// does.
///
/// **Thread:** any; blocks while another thread holds the lock. `block` runs inside this call.
/// - Complexity: O(1) and the block. The first call makes the lock.
@available(*, deprecated, message: "make a lock for each thing, and use its withLock { }")
public func synchronized<R, E: Error>(block: () throws(E) -> R) throws(E) -> R {
    try synchronized(processLock, block: block)
}

private let processLock = NSRecursiveLock()

/// Stops the program with `reason`, where Brisk raised an exception. Never returns.
///
/// **Thread:** any.
/// - Complexity: O(1).
@available(*, deprecated, renamed: "fatalError(_:)")
public func brisk_raise(_ reason: String) -> Never { fatalError(reason) }
