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

    /// A future that is a callback, and runs on `context`.
    @usableFromInline
    init(at context: CallbackContext) {
        cell = FutureCell(context)
    }

    /// Whether the future can fail with an error that tells of `cause`.
    func canFail(because cause: AbandonmentCause) -> Bool { false }

    deinit {
        let last = cell.state.load(ordering: .acquiring)
        let isObserved = FailureObserver.isOn
        if FutureState.isOver(last) {
            cell.step?(pointer, isObserved ? pointer : nil)
        } else if last & ~FutureState.claimed != FutureState.pending {
            pointer.endCallbacks(last, because: FuturePointer.releasedSource)
        }
        if isObserved {
            FailureObserver.forget(pointer)
        }
        // Every pointer to this future was redirected above, or before.
        SourceTrace.letFinish()
        cell.context.release()
    }

    /// The future as a pointer, which counts no references: the compiler may release the object as
    /// soon as it has the pointer, unless something keeps it. It is made from an `Unmanaged`, and
    /// not from the stored property's address: if only that leaves a function, the optimizer
    /// assumes that nobody keeps the object, and puts it on the stack.
    @inlinable
    final var pointer: FuturePointer {
        FuturePointer(Unmanaged<AnyFuture>.passUnretained(self))
    }

    /// Registers `callback`, which runs when this future has completed, at once if it has.
    ///
    /// **Thread:** any. `callback` is not registered anywhere else.
    @usableFromInline
    @inline(never)
    final func register(_ callback: AnyFuture) {
        pointer.register(FuturePointer(Unmanaged<AnyFuture>.passRetained(callback)))
    }

    /// As ``register(_:)``, for a future that somebody else keeps and that completes as this one
    /// does. Stops the program if they would wait for each other.
    @usableFromInline
    @inline(never)
    final func lead(_ follower: FuturePointer) {
        withExtendedLifetime(self) { pointer.lead(follower) }
    }

    /// Has the step run on the future's context.
    ///
    /// **Thread:** the one that made the future, which is not registered anywhere.
    @usableFromInline
    @inline(never)
    final func start() {
        Handover(pointer.retained(), nil).send()
    }

    /// Whether there is a result.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public final var isCompleted: Bool {
        FutureState.isCompleted(cell.state.load(ordering: .acquiring))
    }

    /// Takes the right to complete, which exists once, for a future that several can complete.
    /// False: somebody else has it.
    @usableFromInline
    final func claim() -> Bool {
        var word = cell.state.load(ordering: .acquiring)
        while word & FutureState.claimed == 0 && !FutureState.isOver(word) {
            // Not a plain "or": once the future is over the same bit says that a thread has the
            // lane.
            let (done, seen) = cell.state.compareExchange(
                expected: word, desired: word | FutureState.claimed,
                ordering: .acquiringAndReleasing)
            if done { return true }
            word = seen
        }
        return false
    }
}
