// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// Callbacks that may leave before the future is over: those that have lost a race, against a time
/// limit, another future, or the cancellation of a task. They leave nothing behind in a future that
/// lives on.
///
/// They are no user's closures, and lie in a list of their own, linked both ways, which one of a few
/// locks guards. The future's state tells who completes it that there is such a list.
enum Visitors {
    private static let locks = (0..<64).map { _ in Lock<Void>(()) }

    /// Runs `body` under the lock of the future at the address, which need not be there any more.
    fileprivate static func locked<R>(_ bits: UInt, _ body: () -> R) -> R {
        // Fibonacci hashing: the upper bits of the product depend on all of the address.
        let hash = UInt64(bits) &* 0x9E37_79B9_7F4A_7C15
        let lock = FirstUse.of(locks[Int(truncatingIfNeeded: hash >> 58)])
        return lock.withLock { _ in body() }
    }
}

extension AnyFuture {
    /// As ``register(_:)``, for a direct callback that may ``leave()``.
    final func receive(_ visitor: AnyFuture) {
        withExtendedLifetime(self) {
            ref.receive(FutureRef(Unmanaged<AnyFuture>.passRetained(visitor)))
        }
    }

    /// Takes this callback out of the list of the future that received it, before it runs. What it
    /// keeps is the caller's then.
    ///
    /// **Thread:** any. The other future may be over, or gone.
    /// - Returns: False: it has run, or is about to, or has left before.
    final func leave() -> Bool {
        withExtendedLifetime(self) { ref.leave() }
    }
}

extension FutureRef {
    /// Takes over the reference that `visitor` stands for.
    fileprivate func receive(_ visitor: FutureRef) {
        let isReceived = Visitors.locked(bits) {
            guard expect(FutureState.visited) else { return false }
            let next = FutureRef(bits: cell.pointee.visitors.load(ordering: .relaxed))
            visitor.cell.pointee.next = next
            visitor.cell.pointee.lane = nil
            next?.cell.pointee.lane = visitor
            cell.pointee.visitors.store(visitor.bits, ordering: .relaxed)
            visitor.cell.pointee.source.store(bits, ordering: .relaxed)
            return true
        }
        if !isReceived {
            register(visitor)
        }
    }

    fileprivate func leave() -> Bool {
        let host = cell.pointee.source.load(ordering: .relaxed)
        guard host != 0 else { return false }
        let hasLeft = Visitors.locked(host) {
            // Under the lock: as long as it is in the list the future is there.
            guard cell.pointee.source.load(ordering: .relaxed) == host else { return false }
            cell.pointee.source.store(0, ordering: .relaxed)
            let (next, last) = (cell.pointee.next, cell.pointee.lane)
            next?.cell.pointee.lane = last
            if let last {
                last.cell.pointee.next = next
            } else {
                FutureRef(bits: host)?.cell.pointee.visitors.store(
                    next?.bits ?? 0, ordering: .relaxed)
            }
            (cell.pointee.next, cell.pointee.lane) = (nil, nil)
            return true
        }
        if hasLeft {
            release()
        }
        return hasLeft
    }

    /// Takes all visitors, which can leave no more, and puts them before a list of callbacks, in the
    /// order in which they were received.
    ///
    /// **Thread:** the one that has completed the future, or releases it.
    func visitorsTaken(before callbacks: FutureRef?) -> FutureRef? {
        Visitors.locked(bits) {
            var first = callbacks
            var node = FutureRef(bits: cell.pointee.visitors.load(ordering: .relaxed))
            cell.pointee.visitors.store(0, ordering: .relaxed)
            while let visitor = node {
                node = visitor.cell.pointee.next
                visitor.cell.pointee.source.store(0, ordering: .relaxed)
                visitor.cell.pointee.lane = nil
                visitor.cell.pointee.next = first
                first = visitor
            }
            return first
        }
    }

    /// Has whoever completes see `flag`. False: the future is over.
    func expect(_ flag: UInt) -> Bool {
        var word = cell.pointee.state.load(ordering: .acquiring)
        while !FutureState.isOver(word) {
            let (done, seen) = cell.pointee.state.compareExchange(
                expected: word, desired: word | flag, ordering: .acquiringAndReleasing)
            if done { return true }
            word = seen
        }
        return false
    }
}
