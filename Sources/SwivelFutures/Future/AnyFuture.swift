// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import Synchronization

/// What all futures have in common, whatever they are futures of.
///
/// You get one by making a ``Future``; this type is there for collections of futures of several
/// kinds.
///
/// A future is at the same time the record of the callback that completes it: `map` allocates the
/// future that it returns and nothing else. Everything is kept in raw words, so that this type, which
/// is not generic, does all the work; the generic layer above it is inlined into its callers.
public class AnyFuture: @unchecked Sendable {
    // because `state` decides who may touch which field; each field names its owner.

    /// What runs as this future's own callback. `source` is the completed future that it waited for;
    /// `nil`: it will never run, and what it keeps is to be released.
    @usableFromInline typealias Step = @Sendable (_ future: AnyFuture, _ source: AnyFuture?) -> Void

    /// See ``FutureState``.
    let state = Atomic(FutureState.pending)

    /// The next one in the list in which this future waits as a callback; later, the next one in its
    /// thread's trampoline. Owned by whoever owns that list.
    @exclusivity(unchecked) final var next: Unmanaged<AnyFuture>?

    /// Callbacks that are to run, in order. Owned by the lane.
    @exclusivity(unchecked) final var lane: Unmanaged<AnyFuture>?

    /// Before completion the callback's closure, afterwards the result. Owned by the thread that runs
    /// the step, and constant after completion.
    @exclusivity(unchecked) final var words: (UInt, UInt, UInt) = (0, 0, 0)

    /// How to run the callback. Set before the future is registered.
    @usableFromInline @exclusivity(unchecked) final var step: Step?

    /// How to destroy the result. Set before completion.
    @usableFromInline @exclusivity(unchecked)
    final var drop: (@Sendable (UnsafeMutableRawPointer) -> Void)?

    /// Where the callback runs.
    @exclusivity(unchecked) final var home: Home

    /// A future that waits for nothing.
    @usableFromInline
    init() {
        home = .direct
    }

    /// A future that is the callback of another one, and runs on `context`.
    @usableFromInline
    init(on context: any ExecutionContext) {
        home = Home(context)
    }

    deinit {
        let last = state.load(ordering: .acquiring)
        if let drop {
            drop(place)
        }
        if let newest = FutureState.top(last) {
            Self.end(newest, because: Self.releasedSource)
        }
        home.release()
    }

    /// Where the closure lies before completion, and the result after it.
    @usableFromInline
    final var place: UnsafeMutableRawPointer {
        // A stored property of an object does not move.
        withUnsafeMutablePointer(to: &words) { UnsafeMutableRawPointer($0) }
    }

    /// The callback runs at once, whatever others do: it is no user's closure.
    @usableFromInline
    final func becomeDirect() {
        home.release()
        home = .direct
    }

    /// Whether there is a result.
    ///
    /// **Thread:** any. - Complexity: O(1).
    public final var isCompleted: Bool {
        FutureState.isCompleted(state.load(ordering: .acquiring))
    }

    /// Takes the right to complete, which exists once. For futures that several can complete.
    @usableFromInline
    final func claim() -> Bool {
        let word = state.bitwiseOr(FutureState.claimed, ordering: .acquiring).oldValue
        return word & FutureState.claimed == 0 && !FutureState.isOver(word)
    }
}
