// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import SwivelCore

// Brisk's locked sections. One function replaces three, whose blocks returned nothing, a value or an
// optional. The block may throw.

/// Brisk's name for `lock.withLock { }`.
@available(*, deprecated, renamed: "NSLocking.withLock(_:)")
public func synchronized<R, E: Error>(
    _ lock: any NSLocking, block: () throws(E) -> R
) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    return try block()
}

/// Runs the block under the process's one lock, which the block may take again.
@available(*, deprecated, message: "make a lock for each thing, and use its withLock { }")
public func synchronized<R, E: Error>(block: () throws(E) -> R) throws(E) -> R {
    processLock.lock()
    defer { processLock.unlock() }
    return try block()
}

private var processLock: NSRecursiveLock { FirstUse.of(ProcessLock.only) }

private enum ProcessLock {
    static let only = NSRecursiveLock()
}

/// Reports a usage error, and stops the program.
@available(*, deprecated, renamed: "fatalError(_:)")
public func brisk_raise(_ reason: String) -> Never {
    fatalError(reason)
}
