// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// What all futures have in common, whatever they are futures of.
///
/// You get one by making a ``Future``; this type is there for collections of futures of several
/// kinds. It is not generic, and does all the work; the generic layer above it is inlined into its
/// callers.
public class AnyFuture: @unchecked Sendable {
    // because `cell.state` decides who may touch what.
    @usableFromInline @exclusivity(unchecked) final var cell: FutureCell

    /// A future that waits for nothing.
    @usableFromInline
    init() {
        cell = FutureCell(.direct)
    }

    /// A future that is the callback of another one, and runs there.
    @usableFromInline
    init(at home: Home) {
        cell = FutureCell(home)
    }

    /// Whether the future's errors can say so.
    func canFail(because cause: AbandonmentCause) -> Bool { false }

    deinit {
        let last = cell.state.load(ordering: .acquiring)
        let isWatched = FailureWatch.isOn
        if FutureState.isOver(last) {
            cell.step?(ref, isWatched ? ref : nil)
        } else if last & ~FutureState.claimed != FutureState.pending {
            ref.endCallbacks(last, because: FutureRef.releasedSource)
        }
        if isWatched {
            FailureWatch.forget(ref)
        }
        Lookout.letPass()
        cell.home.release()
    }

    /// The future as a pointer, which counts no references: the compiler may let go of the object as
    /// soon as it has the pointer, unless something keeps it. Made from an `Unmanaged`, and not from
    /// the stored property's address: of an object of which only that leaves a function the optimizer
    /// believes that nobody keeps it, and puts it on the stack.
    @inlinable
    final var ref: FutureRef {
        FutureRef(Unmanaged<AnyFuture>.passUnretained(self))
    }

    /// Registers `callback`, which runs when this future has completed, at once if it has.
    ///
    /// **Thread:** any. `callback` is not registered anywhere else.
    @usableFromInline
    @inline(never)
    final func register(_ callback: AnyFuture) {
        ref.register(FutureRef(Unmanaged<AnyFuture>.passRetained(callback)))
    }

    /// As ``register(_:)``, for a future that is to complete as this one does, and that somebody else
    /// keeps: stops the program where they would wait for each other.
    @usableFromInline
    @inline(never)
    final func lead(_ follower: FutureRef) {
        withExtendedLifetime(self) { ref.lead(follower) }
    }

    /// Has the step run on the future's context, soon.
    ///
    /// **Thread:** whoever made it; it is not registered anywhere.
    @usableFromInline
    @inline(never)
    final func start() {
        LaneTicket(ref.retained(), nil).send()
    }

    /// Whether there is a result.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public final var isCompleted: Bool {
        FutureState.isCompleted(cell.state.load(ordering: .acquiring))
    }

    /// Takes the right to complete, which exists once. For futures that several can complete.
    @usableFromInline
    final func claim() -> Bool {
        var word = cell.state.load(ordering: .acquiring)
        while word & FutureState.claimed == 0 && !FutureState.isOver(word) {
            // Not a plain "or": the word of a future that is over must stay what it is, for late
            // callbacks compare it.
            let (done, seen) = cell.state.compareExchange(
                expected: word, desired: word | FutureState.claimed,
                ordering: .acquiringAndReleasing)
            if done { return true }
            word = seen
        }
        return false
    }
}
