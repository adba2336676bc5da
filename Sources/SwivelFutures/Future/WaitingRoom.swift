// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelDispatch
internal import Synchronization

/// Where threads wait for futures. A wait needs no memory in the future, and leaves none behind.
///
/// A thread may spin on the future's state first, and enters the room only to sleep or to pump. The
/// future's address selects one of 64 lists, whose lock decides whether a wait's thread takes it
/// out or the completer.
enum WaitingRoom {
    /// The waits of one list: the address of the future that each is for, and what ends it.
    private typealias Waits = [(future: UInt, latch: Latch)]

    private static let lists = (0..<64).map { _ in Lock<Waits>.ofProcess { _ in [] } }
    /// How many threads are in the room, or about to enter. Most waits end while the thread
    /// spins, and do not enter. In the child of a fork it still counts threads of the parent's.
    private static let occupants = Atomic(0)

    /// Announces the caller to the completer of `future`, and spins if waits on this thread do.
    /// Returns whether the future is over.
    private static func spin(_ future: FuturePointer, before deadline: LoopClock.Instant) -> Bool {
        if deadline == .never, WorkerPool.runs(future.opaque), future.isOver { return true }
        // The completer sees the flag, or it came first, and this sees that.
        guard future.raise(FutureState.awaited) else { return true }
        return Spin.isDone(before: deadline, future.opaque) {
            FuturePointer($0)?.isOver ?? true
        }
    }

    /// Waits until `future` is over, or until `deadline`.
    ///
    /// **Thread:** any that keeps the future.
    /// - Returns: False at the deadline.
    static func wait(
        for future: FuturePointer, until deadline: LoopClock.Instant = .never,
        target: (any ExecutionContext)? = nil, operation: StaticString, file: StaticString,
        line: UInt
    ) -> Bool {
        if spin(future, before: deadline) { return true }
        // Sequentially consistent, as the completer's exchange and its check whether a thread is
        // here: either it sees this thread, or this thread sees the end.
        occupants.add(1, ordering: .sequentiallyConsistent)
        defer { occupants.subtract(1, ordering: .relaxed) }
        return Latch.borrowed { latch in
            let list = lists[future.hash]
            let isOver = list.withLock { waits in
                // Under the lock, which the completer takes after it has completed the future:
                // either it finds the wait, or this sees the end.
                if future.isOver { return true }
                waits.append((future.bits, latch))
                return false
            }
            if isOver { return true }
            defer { list.withLock { $0.removeAll { $0.latch === latch } } }
            return Waiting.wait(
                for: latch, until: deadline, target: target,
                needing: { FutureNeed.contexts(of: future) }, operation: operation, file: file,
                line: line)
        }
    }

    /// Ends the waits for `future`, which is over.
    ///
    /// **Thread:** the thread that has completed or abandoned it.
    static func wakeAll(of future: FuturePointer) {
        if occupants.load(ordering: .sequentiallyConsistent) != 0 { wakeOccupants(of: future) }
    }

    @inline(never)
    static func wakeOccupants(of future: FuturePointer) {
        while let latch = lists[future.hash].withLock({ waits in
            waits.lastIndex { $0.future == future.bits }.map { waits.remove(at: $0).latch }
        }) {
            latch.signal()
        }
    }
}
