// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Links from a future to another one that exists already. All other links go to a future that is new,
// which nothing waits for; these ones can close a ring, in which each future waits for the next one.
//
// A link is looked at when it is made, not before: of several threads that make the links of a ring at
// the same moment the last one sees all of them. Until it has looked, its future cannot complete, so
// that what hangs on that future stays where it is. A look goes along the shorter of two ways, down
// from the future that follows or up from the one that leads: a tree of n links costs O(n log n)
// whatever their order.
extension FutureRef {
    /// Dependents that are looked at before anything else is.
    private static let few = 32

    /// Registers `follower`, which is direct, and whose step begins with ``arrives()``.
    ///
    /// **Thread:** the one that is to complete `follower`, and keeps it.
    func lead(_ follower: FutureRef) {
        if follower.cell == cell { Self.refuseRing() }
        if FutureState.isCompleted(cell.pointee.state.load(ordering: .acquiring)) {
            noteLook()
            follower.cell.pointee.step?(follower, self)
            return
        }
        follower.cell.pointee.source.store(bits | Self.linking, ordering: .sequentiallyConsistent)
        register(follower.retained(), isLinked: true)
        if follower.isListenedTo, source != nil, follower.holdsUp(self) {
            Self.refuseRing()
        }
        follower.endLinking(to: self)
    }

    /// Whether something waits in this future's list, and the future is pending.
    private var isListenedTo: Bool {
        let word = cell.pointee.state.load(ordering: .sequentiallyConsistent)
        return !FutureState.isOver(word) && FutureState.top(word) != nil
    }

    /// The first act of a follower's step: whether to go on. If not, the thread that makes the link
    /// does, when it has looked.
    @usableFromInline
    func arrives() -> Bool {
        var word = cell.pointee.source.load(ordering: .acquiring)
        while word & Self.linking != 0 {
            let (done, seen) = cell.pointee.source.compareExchange(
                expected: word, desired: 0, ordering: .acquiringAndReleasing)
            if done { return false }
            word = seen
        }
        return true
    }

    /// The last act of who makes the link: if the other one is over already, so is this one.
    private func endLinking(to leader: FutureRef) {
        var word = cell.pointee.source.load(ordering: .acquiring)
        while word & Self.linking != 0 {
            let (done, seen) = cell.pointee.source.compareExchange(
                expected: word, desired: word & ~Self.linking, ordering: .acquiringAndReleasing)
            if done { return }
            word = seen
        }
        let state = leader.cell.pointee.state.load(ordering: .acquiring)
        cell.pointee.step?(self, FutureState.isCompleted(state) ? leader : nil)
    }

    /// Whether `other` waits for this future, which cannot complete meanwhile.
    private func holdsUp(_ other: FutureRef) -> Bool {
        var below = Dependents(of: self)
        for _ in 0..<Self.few {
            guard let dependent = below.next() else { return false }
            if dependent == other { return true }
        }
        return Lookout.look {
            var above = other
            while let dependent = below.next(), let source = above.source {
                if dependent == other || source == self { return true }
                above = source
            }
            return false
        }
    }

    /// Stops the program if this future waits for `other`, which is kept: a callback of `other`'s own
    /// that is registered here would close a ring.
    func refuseToWait(for other: FutureRef) {
        guard other.isListenedTo, source != nil else { return }
        let isRing = Lookout.look {
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
