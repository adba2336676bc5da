// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Links between two futures that exist already: one follows the other, and completes as it does.
// Only these links can close a ring, in which each future waits for the next.
//
// A link is made first and checked afterwards: if several threads make the links of a ring at once,
// the last one sees all of them. Until the check is over the follower cannot complete, so that what
// waits for it stays. The check takes the shorter of two ways, down from the follower or up from
// the leader: n links cost O(n log n), whatever their order.
extension FuturePointer {
    /// Dependents that are checked without a trace: most links need no more.
    private static let few = 32

    /// Registers `follower`, which is direct, and whose step begins with ``mayRunStep()``.
    ///
    /// **Thread:** the thread that has the right to complete `follower`, and keeps it.
    @usableFromInline
    func lead(_ follower: FuturePointer) {
        if follower.cell == cell { Self.refuseRing() }
        if FutureState.isCompleted(cell.pointee.state.load(ordering: .acquiring)) {
            markObserved()
            follower.cell.pointee.step?(follower, self)
            return
        }
        // Sequentially consistent, as the push in `register` and the reads of a check: of two
        // threads that each make a link and then check, one at least sees the other's link.
        follower.cell.pointee.source.store(bits | Self.linking, ordering: .sequentiallyConsistent)
        register(follower.retained(), isLinked: true)
        if follower.hasCallbacks, source != nil, follower.holdsUp(self) { Self.refuseRing() }
        follower.endLinking(to: self)
    }

    /// Whether the future is pending and has callbacks.
    private var hasCallbacks: Bool {
        let word = cell.pointee.state.load(ordering: .sequentiallyConsistent)
        return !FutureState.isOver(word) && FutureState.top(word) != nil
    }

    /// Whether a follower's step may run: its first act. If not, the thread that checks the link
    /// runs it.
    @usableFromInline
    func mayRunStep() -> Bool {
        if cell.pointee.source.load(ordering: .acquiring) & Self.linking == 0 { return true }
        // Either this or `endLinking` clears the flag. Release: the other thread sees what this
        // step would have seen of its source.
        let word = cell.pointee.source.exchange(0, ordering: .acquiringAndReleasing)
        return word & Self.linking == 0
    }

    /// The last act of the thread that makes the link. If the leader is over already, the
    /// follower's step has left the rest to this thread.
    private func endLinking(to leader: FuturePointer) {
        let (word, _) = cell.pointee.source.bitwiseAnd(
            ~Self.linking, ordering: .acquiringAndReleasing)
        if word & Self.linking != 0 { return }
        let state = leader.cell.pointee.state.load(ordering: .acquiring)
        cell.pointee.step?(self, FutureState.isCompleted(state) ? leader : nil)
    }

    /// Whether `other` waits for this future. The future cannot complete during the check.
    private func holdsUp(_ other: FuturePointer) -> Bool {
        var below = Dependents(of: self)
        for _ in 0..<Self.few {
            guard let dependent = below.next() else { return false }
            if dependent == other { return true }
        }
        return SourceTrace.run {
            var above = other
            while let dependent = below.next(), let source = above.source {
                if dependent == other || source == self { return true }
                above = source
            }
            return false
        }
    }

    /// Stops the program if this future waits for `other`, which the caller keeps: a callback that
    /// is registered here and completes `other` would close a ring.
    func refuseToWait(for other: FuturePointer) {
        guard other.hasCallbacks, source != nil else { return }
        let isRing = SourceTrace.run {
            var above = self
            while let source = above.source {
                if source == other { return true }
                above = source
            }
            return false
        }
        if isRing { Self.refuseRing() }
    }

    private static func refuseRing() -> Never {
        trap(
            """
            a future that is to complete as itself, or as one that waits for it, would never \
            complete: let one of them complete by a value of its own
            """)
    }
}
