// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelDispatch
internal import Synchronization

/// Where threads wait for futures. A wait needs no memory in the future, and leaves none behind.
///
/// A thread looks at the future's state first, and enters the room only to sleep or to pump. The
/// room has many lists, each with a lock; the future's address says which. A wait's entry lies on
/// its thread's stack: under the lock it is either in the list, and the thread's to remove, or was
/// taken out by the completer, which has retained the latch.
enum WaitingRoom {
    /// One wait.
    private struct Entry {
        let future: UInt
        let latch: Unmanaged<Latch>
        var next: UnsafeMutablePointer<Entry>?
    }

    private struct List {
        // because the list's lock guards the entries too.
        nonisolated(unsafe) var first: UnsafeMutablePointer<Entry>?
    }

    private static let lists = (0..<64).map { _ in Lock(List()) }

    /// The list for the future at the address.
    private static func list(_ bits: UInt) -> Lock<List> {
        // Fibonacci hashing: the upper bits of the product depend on all of the address.
        let hash = UInt64(bits) &* 0x9E37_79B9_7F4A_7C15
        return FirstUse.of(lists[Int(truncatingIfNeeded: hash >> 58)])
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
        // The completer sees the flag, or it came first, and this sees that.
        guard future.raise(FutureState.awaited) else { return true }
        let isDone = Looking.isDone(before: deadline, future.opaque) {
            FuturePointer($0)?.isOver ?? true
        }
        if isDone { return true }
        return Latch.borrowed { latch in
            var entry = Entry(
                future: future.bits, latch: Unmanaged.passUnretained(latch), next: nil)
            return withUnsafeMutablePointer(to: &entry) { entry in
                guard enter(entry, for: future) else { return true }
                defer { leave(entry) }
                return Waiting.wait(
                    for: latch, until: deadline, target: target,
                    needing: { future.contextsNeeded }, operation: operation, file: file,
                    line: line)
            }
        }
    }

    /// False: the future is over.
    private static func enter(
        _ entry: UnsafeMutablePointer<Entry>, for future: FuturePointer
    ) -> Bool {
        list(future.bits).withLock { list in
            // Under the lock, which the completer takes after it has completed the future: either
            // it finds the entry, or this sees the end.
            if future.isOver { return false }
            entry.pointee.next = list.first
            list.first = entry
            return true
        }
    }

    private static func leave(_ entry: UnsafeMutablePointer<Entry>) {
        list(entry.pointee.future).withLock { list in
            _ = remove(from: &list) { $0 == entry }
        }
    }

    /// Takes one entry out of the list.
    private static func remove(
        from list: inout List, where isMeant: (UnsafeMutablePointer<Entry>) -> Bool
    ) -> UnsafeMutablePointer<Entry>? {
        var previous: UnsafeMutablePointer<Entry>?
        var entry = list.first
        while let current = entry {
            if isMeant(current) {
                if let previous {
                    previous.pointee.next = current.pointee.next
                } else {
                    list.first = current.pointee.next
                }
                return current
            }
            (previous, entry) = (current, current.pointee.next)
        }
        return nil
    }

    /// Ends the waits for `future`, which is over.
    ///
    /// **Thread:** the one that has completed or abandoned it.
    static func wakeAll(of future: FuturePointer) {
        var woken = 0
        while let latch = takeLatch(of: future.bits) {
            latch.signal()
            woken += 1
        }
        if woken == 0 {
            Looking.expectReply()
        }
    }

    private static func takeLatch(of bits: UInt) -> Latch? {
        list(bits).withLock { list in
            // Retained under the lock: the thread may go on as soon as it is open.
            remove(from: &list) { $0.pointee.future == bits }?.pointee.latch.takeUnretainedValue()
        }
    }
}
