// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation

/// Waits that have begun before another thread ends them.
package enum LastingWaits {
    /// The first half does not count.
    package static let count = 200

    /// Calls to the allocator for one wait, the completion included.
    ///
    /// - Parameters:
    ///   - waits: `count` of them, none of them completed.
    ///   - complete: runs on another thread, at least 100 µs after the wait has begun.
    package static func allocations<Wait: Sendable>(
        _ waits: [Wait], complete: @escaping @Sendable (Wait) -> Void, wait: (Wait) -> Void
    ) throws -> Measurement {
        let begins = DispatchSemaphore(value: 0)
        let half = waits.count / 2
        Thread.detachNewThread {
            for wait in waits {
                begins.wait()
                Clocks.pause(100_000)
                complete(wait)
            }
        }
        var ended = 0
        let counting = Counting()
        for part in [waits[..<half], waits[half...]] {
            counting.begin()
            for each in part {
                begins.signal()
                wait(each)
                ended += 1
            }
            counting.end()
        }
        var measurement = Measurement()
        // The thread's own end may allocate, for no single wait.
        measurement[.allocations] = (10 * Double(counting.count) / Double(half)).rounded() / 10
        try measurement.check("waits", ended, is: count)
        return measurement
    }
}
