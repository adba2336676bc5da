// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// Where threads wait for futures: a table by the future's address, so that waiting allocates nothing
/// in the future, and a wait that ends at its time limit leaves nothing there.
enum WaitingRoom {
    private static let waiting = Lock<[ObjectIdentifier: Waiters]>([:])

    /// The threads that wait for one future.
    private struct Waiters {
        let latch = Latch()
        var count = 0
    }

    /// Waits until `future` is over, or until `deadline`.
    ///
    /// - Returns: False at the deadline.
    static func wait(
        for future: AnyFuture, until deadline: LoopClock.Instant, target: (any ExecutionContext)?,
        operation: StaticString, file: StaticString, line: UInt
    ) -> Bool {
        let latch = enter(future)
        defer { leave(future) }
        // Whoever completes sees the bit and signals, or has completed before, which this sees.
        guard future.expectWaiters() else { return true }
        return latch.wait(until: deadline)
    }

    private static func enter(_ future: AnyFuture) -> Latch {
        waiting.withLock { waiting in
            waiting[ObjectIdentifier(future), default: Waiters()].count += 1
            return waiting[ObjectIdentifier(future)]?.latch ?? Latch()
        }
    }

    private static func leave(_ future: AnyFuture) {
        // Released outside the lock.
        _ = waiting.withLock { waiting -> Waiters? in
            let id = ObjectIdentifier(future)
            waiting[id]?.count -= 1
            return waiting[id]?.count == 0 ? waiting.removeValue(forKey: id) : nil
        }
    }

    /// Ends the waits for `future`.
    static func wakeAll(of future: AnyFuture) {
        let latch = waiting.withLock { $0[ObjectIdentifier(future)]?.latch }
        latch?.signal()
    }
}

extension AnyFuture {
    /// Has whoever completes look into the waiting room. False: the future is over.
    fileprivate final func expectWaiters() -> Bool {
        var word = state.load(ordering: .acquiring)
        while !FutureState.isOver(word) {
            let (done, seen) = state.compareExchange(
                expected: word, desired: word | FutureState.awaited,
                ordering: .acquiringAndReleasing)
            if done { return true }
            word = seen
        }
        return false
    }
}
