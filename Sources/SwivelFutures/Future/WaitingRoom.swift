// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelDispatch
internal import Synchronization

/// Where threads wait for futures: a table by address. A wait needs no memory in the future, and
/// leaves nothing there when it ends at its deadline.
enum WaitingRoom {
    private static var waiting: Lock<[UInt: Waiters]> { FirstUse.of(only) }
    private static let only = Lock<[UInt: Waiters]>([:])

    /// The threads that wait for one future.
    private struct Waiters {
        let latch = Latch()
        var count = 0
    }

    /// Waits until `future` is over, or until `deadline`.
    ///
    /// **Thread:** any that keeps the future.
    /// - Returns: False at the deadline.
    static func wait(
        for future: FuturePointer, until deadline: LoopClock.Instant,
        target: (any ExecutionContext)?,
        operation: StaticString, file: StaticString, line: UInt
    ) -> Bool {
        let latch = enter(future)
        defer { leave(future) }
        // The completer sees the flag and signals; or it came first, and this sees that. The latch
        // is in the table before the flag is raised.
        guard future.raise(FutureState.awaited) else { return true }
        return Waiting.wait(
            for: latch, until: deadline, target: target, needing: { future.contextsNeeded },
            operation: operation, file: file, line: line)
    }

    private static func enter(_ future: FuturePointer) -> Latch {
        waiting.withLock { waiting in
            waiting[future.bits, default: Waiters()].count += 1
            return waiting[future.bits]?.latch ?? Latch()
        }
    }

    private static func leave(_ future: FuturePointer) {
        // Released outside the lock.
        _ = waiting.withLock { waiting -> Waiters? in
            waiting[future.bits]?.count -= 1
            return waiting[future.bits]?.count == 0
                ? waiting.removeValue(forKey: future.bits) : nil
        }
    }

    /// Ends the waits for `future`.
    static func wakeAll(of future: FuturePointer) {
        let latch = waiting.withLock { $0[future.bits]?.latch }
        latch?.signal()
    }
}
