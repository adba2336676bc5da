// SPDX-License-Identifier: Apache-2.0
package import SwivelCore
internal import Synchronization

/// Looks along what futures wait for, while other threads complete and release them.
///
/// A pending future has a pointer to what it waits for, its *source*: the future in whose list it is,
/// or the callback that is to go on with it. The pointer keeps nothing. What makes it safe to follow is
/// an order of four steps: whoever gives up a source first turns the pointer of each future that waits
/// there, or completes that future, and then asks, before any memory goes, whether a look is under way;
/// whoever looks first says so, and then reads pointers. All four are sequentially consistent, so that
/// either the look sees no pointer any more, or the memory waits for it.
enum Lookout {
    /// One look at a time: who waits for its end waits for one.
    private static var lock: Lock<Void> { FirstUse.of(only) }
    private static let only = Lock<Void>(())
    private static let isUnderWay = Atomic(false)

    /// Runs `body`, which may follow the sources of futures that are pending when it reads them. It
    /// must release no future and no context.
    ///
    /// **Thread:** any.
    static func look<R>(_ body: () -> R) -> R {
        lock.withLock { _ in
            isUnderWay.store(true, ordering: .sequentiallyConsistent)
            defer { isUnderWay.store(false, ordering: .sequentiallyConsistent) }
            return body()
        }
    }

    /// Called before what a look may have found goes: waits until it has ended.
    @inline(__always)
    static func letPass() {
        if isUnderWay.load(ordering: .sequentiallyConsistent) {
            waitForTheEnd()
        }
    }

    @inline(never)
    private static func waitForTheEnd() {
        lock.withLock { _ in }
    }
}

// What a future waits for.
extension FutureRef {
    /// In a source: the link is being made, and its maker has not yet seen whether it closes a ring.
    static let linking: UInt = 1

    /// The source of a future that is pending. In a look, or by whoever keeps the source.
    var source: FutureRef? {
        let word = cell.pointee.source.load(ordering: .sequentiallyConsistent)
        let state = cell.pointee.state.load(ordering: .sequentiallyConsistent)
        // Asked after the source was read: what is read of one that is over means nothing.
        return FutureState.isOver(state) ? nil : FutureRef(bits: word & ~FutureState.flags)
    }

    /// This future waits for `callback`, or for nothing that is known, from here on.
    ///
    /// **Thread:** the one that is to complete it.
    func wait(through callback: FutureRef?) {
        cell.pointee.source.store(callback?.bits ?? 0, ordering: .sequentiallyConsistent)
    }

    /// The newest of the callbacks that wait for a future that cannot complete meanwhile: it stays, and
    /// so does what hangs on it.
    var newestDependent: FutureRef? {
        let word = cell.pointee.state.load(ordering: .sequentiallyConsistent)
        return FutureState.isOver(word) ? nil : FutureState.top(word) ?? cell.pointee.lane
    }

    /// The contexts on which something has to run before this future can complete, as far as that is
    /// known at this moment: its own callback, what that waits for in turn, and at the end of that row
    /// the callback that is before it in the lane. Loops and pools are not among them, for what waits
    /// there holds up nobody.
    ///
    /// **Thread:** any that keeps the future.
    /// - Complexity: O(n) in the links up to a future that waits for none.
    var contextsNeeded: [any ExecutionContext] {
        if source == nil && !cell.pointee.home.mayBeHeldUp {
            return []
        }
        let boxes = Lookout.look {
            var boxes: [HomeBox] = []
            var (future, waiting) = (FutureRef?.some(self), self)
            while let current = future {
                let home = current.cell.pointee.homeInLook
                let box = home.mayBeHeldUp ? home.box : nil
                future = current.source
                let state = current.cell.pointee.state.load(ordering: .sequentiallyConsistent)
                if !FutureState.isOver(state) {
                    if let box { boxes.append(box) }
                } else if current != self, let holder = current.laneHolder, holder != waiting,
                    let box = holder.cell.pointee.homeInLook.box
                {
                    boxes.append(box)
                }
                waiting = current
            }
            return boxes
        }
        return boxes.isEmpty ? [] : boxes.compactMap(\.context)
    }

    /// The callback that has the lane of this future, if it is under way to a context that may be held
    /// up. If the calling thread runs it, a wait there passes the lane on.
    private var laneHolder: FutureRef? {
        let word = cell.pointee.source.load(ordering: .sequentiallyConsistent)
        return word & Self.seen != 0 && Trampoline.ofThread.pointee.lane != opaque
            ? FutureRef(bits: word & ~FutureState.flags) : nil
    }

    /// `callback`, which gets the lane of this future, is under way to a context that may be held up.
    ///
    /// **Thread:** the lane's.
    func giveLane(to callback: FutureRef) {
        cell.pointee.source.store(callback.bits | Self.seen, ordering: .sequentiallyConsistent)
    }

    /// The callback that got the lane gives it up, and may go.
    ///
    /// **Thread:** the lane's.
    func takeLaneBack() {
        if cell.pointee.source.load(ordering: .relaxed) & ~FutureState.flags != 0 {
            cell.pointee.source.store(Self.seen, ordering: .sequentiallyConsistent)
        }
    }
}

extension AnyFuture {
    /// See ``FutureRef/contextsNeeded``.
    package final var contextsNeeded: [any ExecutionContext] {
        withExtendedLifetime(self) { ref.contextsNeeded }
    }
}

/// All that waits for a future, whatever the links: the callbacks in its list, those in theirs, and so
/// on. The future cannot complete meanwhile.
struct Dependents {
    private var node: FutureRef?
    private var others: [FutureRef] = []

    init(of future: FutureRef) {
        node = future.newestDependent
    }

    /// The next one, in no order; `nil`: that was the last.
    mutating func next() -> FutureRef? {
        guard let current = node ?? others.popLast() else { return nil }
        let sibling = current.cell.pointee.next
        if let child = current.newestDependent {
            if let sibling { others.append(sibling) }
            node = child
        } else {
            node = sibling
        }
        return current
    }
}
