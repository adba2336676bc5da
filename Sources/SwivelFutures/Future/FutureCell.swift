// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What a future consists of, in raw words.
///
/// A future is at the same time the record of the callback that completes it: `map` allocates the
/// future that it returns and nothing else. What is here is reached through pointers, and nothing is
/// counted or checked on the way: each field names its owner.
@usableFromInline
struct FutureCell: ~Copyable {
    /// What runs as the future's own callback. `source` is the completed future that it waited for;
    /// `nil`: it will never run, and what it keeps is to be released.
    @usableFromInline typealias Step = @Sendable (_ future: FutureRef, _ source: FutureRef?) -> Void

    /// See ``FutureState``.
    let state = Atomic(FutureState.pending)

    /// The next one in the list in which this future waits as a callback; later, the next one in its
    /// thread's trampoline. Owned by whoever owns that list.
    var next: FutureRef?

    /// Callbacks that are to run, in order. Owned by the lane.
    var lane: FutureRef?

    /// Before completion the callback's closure, afterwards the result. Owned by the thread that runs
    /// the step, and constant after completion.
    @usableFromInline var words: (UInt, UInt, UInt) = (0, 0, 0)

    /// How to run the callback. Set before the future is registered.
    @usableFromInline var step: Step?

    /// How to destroy the result. Set before completion.
    @usableFromInline var drop: (@Sendable (UnsafeMutableRawPointer) -> Void)?

    /// Where the callback runs.
    var home: Home

    init(_ home: Home) {
        self.home = home
    }
}
