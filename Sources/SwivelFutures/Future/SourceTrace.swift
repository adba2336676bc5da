// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// Follows pending futures to what they wait for, while other threads complete and release them.
///
/// A pending future has a pointer, which keeps nothing, to its *source*: the future in whose list
/// it is, or the callback that will complete it. A thread that gives up a source first redirects
/// the pointers to it (step 1), and checks before it frees memory whether a trace runs (step 2). A
/// trace first announces itself (step 3), and then reads pointers (step 4). All four are
/// sequentially consistent: either 4 does not see what 1 has redirected, or 2 sees what 3 has
/// announced.
enum SourceTrace {
    /// Held during a trace: there is one at a time, and `letFinish` waits for one at most.
    private static let lock = Lock<Void>.ofProcess { _ in }
    private static let isUnderWay = Atomic(false)

    /// Runs `body`, which may follow the sources of futures that are pending when it reads them. It
    /// must release no future and no context.
    static func run<R>(_ body: () -> R) -> R {
        lock.withLock { _ in
            // Step 3. Weaker, the reads of `body` could come before it.
            isUnderWay.store(true, ordering: .sequentiallyConsistent)
            defer { isUnderWay.store(false, ordering: .sequentiallyConsistent) }
            return body()
        }
    }

    /// Waits for the end of a trace. Called before the release of what a trace may have found.
    @inline(__always)
    static func letFinish() {
        // Step 2, behind the caller's step 1. A trace that starts later finds no pointer any more.
        if isUnderWay.load(ordering: .sequentiallyConsistent) { lock.withLock { _ in } }
    }
}

// The source of a future.
extension FuturePointer {
    /// In a source: the maker of the link has yet to check whether it closes a ring.
    static let linking: UInt = 1

    /// The source of a future that is pending. In a trace, or if the caller keeps the source.
    var source: FuturePointer? {
        let word = cell.pointee.source.load(ordering: .sequentiallyConsistent)
        let state = cell.pointee.state.load(ordering: .sequentiallyConsistent)
        // Read after the source: the word of a future that is over has another meaning.
        return FutureState.isOver(state) ? nil : FuturePointer(bits: word & ~FutureState.flags)
    }

    /// From here on this future waits for `callback`; `nil`: for nothing that is known. **Thread:**
    /// the thread that has the right to complete it.
    func wait(through callback: FuturePointer?) {
        // Step 1 for what it waited for until now.
        cell.pointee.source.store(callback?.bits ?? 0, ordering: .sequentiallyConsistent)
    }

    /// The newest of the callbacks that wait for this future, which cannot complete during the
    /// trace, so that the callback stays, and with it what waits for that one.
    var newestDependent: FuturePointer? {
        let word = cell.pointee.state.load(ordering: .sequentiallyConsistent)
        return FutureState.isOver(word) ? nil : FutureState.top(word) ?? cell.pointee.walked
    }

    /// The boxes of the contexts on which something has to run before this future can complete: of
    /// its own callback, of those for which that one waits in turn, and with the needs of the
    /// chain's first future. Not loops with threads and pools, which work during a wait. O(n) in
    /// the links up to a future that waits for none. **Thread:** any that keeps the future.
    var boxesNeeded: [ContextBox] {
        if source == nil, !cell.pointee.context.mayBeHeldUp { return [] }
        return SourceTrace.run {
            // The boxes are retained here, inside the trace, and used after it.
            var boxes: [ContextBox] = []
            var future = FuturePointer?.some(self)
            while let current = future {
                let context = current.cell.pointee.contextInTrace
                let box = context.mayBeHeldUp ? context.boxOfNeeds : nil
                // The source before the state: if that is still pending, the source was valid.
                future = current.source
                let state = current.cell.pointee.state.load(ordering: .sequentiallyConsistent)
                if !FutureState.isOver(state), let box { boxes.append(box) }
            }
            return boxes
        }
    }

    /// The contexts among ``boxesNeeded``.
    var contextsNeeded: [any ExecutionContext] {
        boxesNeeded.compactMap(\.context)
    }
}

/// All that waits for a future: the callbacks in its list, those in their lists, and so on. The
/// future cannot complete during the trace.
struct Dependents {
    private var node: FuturePointer?
    private var others: [FuturePointer] = []

    init(of future: FuturePointer) {
        node = future.newestDependent
    }

    /// The next one, in no order; `nil`: that was the last.
    mutating func next() -> FuturePointer? {
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
